// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace penstock {

struct Vec3 {
  float x = 0, y = 0, z = 0;
};

// What a ray may hit: decides colour and reflectivity.
enum class Material : std::uint8_t {
  road,
  marking,
  pavement,
  wall,
  window,
  car,
  glass,
  trunk,
  leaf
};

// A small street to look at: a road with markings and pavements along x, houses on both sides with
// a side street between them, parked cars, trees, and one car that drives. Metres; x forward, y
// left, z up, 0 on the road below the sensor.
//
// Thread: any; it never changes. Cost: casting allocates nothing.
class Scene {
 public:
  Scene();

  struct Hit {
    float distance = 0;  // metres
    Material material = Material::road;
    Vec3 normal{};
  };
  // What a ray from `origin` along the unit vector `direction` meets first, at `seconds` after the
  // start, within `most` metres.
  [[nodiscard]] std::optional<Hit> cast(const Vec3& origin, const Vec3& direction, float seconds,
                                        float most = 120) const noexcept;

  // Calibrated reflectivity as lidars give it: 0 … 100 diffuse, above that retroreflectors.
  [[nodiscard]] static std::uint8_t reflectivity(Material material) noexcept;

 private:
  struct Box {
    Vec3 low, high;
    Material material;
  };
  struct Ball {
    Vec3 centre;
    float radius;
  };
  // A circle on the ground around a thing: most rays pass most things by, which this tells first.
  struct Circle {
    float x, y, radius;
  };
  struct Car {
    Circle around;
    Box body, cabin;
  };
  struct Tree {
    Circle around;
    Box trunk;
    Ball crown;
  };
  struct Ray {
    Vec3 origin, direction;
    Vec3 inverse;  // of the direction, component by component
    [[nodiscard]] bool passes_by(const Circle& circle) const noexcept;
    [[nodiscard]] Vec3 at(float distance) const noexcept {
      return {origin.x + distance * direction.x, origin.y + distance * direction.y,
              origin.z + distance * direction.z};
    }
  };
  // Each moves `hit` nearer when the ray meets the thing first.
  static void meet_ground(const Ray& ray, Hit& hit) noexcept;
  static void meet_box(const Box& box, const Ray& ray, Hit& hit) noexcept;
  static void meet_ball(const Ball& ball, const Ray& ray, Hit& hit) noexcept;
  static void meet_car(const Car& car, const Ray& ray, Hit& hit) noexcept;
  static void meet_tree(const Tree& tree, const Ray& ray, Hit& hit) noexcept;

  [[nodiscard]] static Box house(float from, float to, float side, float height) noexcept;
  [[nodiscard]] static Car car(float x, float y) noexcept;
  [[nodiscard]] static Tree tree(float x, float y) noexcept;

  std::vector<Box> houses_;
  std::vector<Car> parked_;
  std::vector<Tree> trees_;
  Car driving_;  // where it is halfway through its lap
};

}  // namespace penstock
