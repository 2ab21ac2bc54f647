// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#include "client/sensors/scene.hpp"

#include <algorithm>
#include <cmath>

namespace penstock {
namespace {

constexpr float kRoad = 4.0F;      // half its width
constexpr float kPavement = 7.5F;  // where the houses begin
constexpr float kSpeed = 8.0F;     // m/s, of the car that drives
constexpr float kLap = 90.0F;      // metres until it begins anew

Material ground_at(float x, float y) noexcept {
  const float across = std::abs(y);
  if (across > kRoad) return Material::pavement;
  const bool side_line = across > kRoad - 0.35F && across < kRoad - 0.2F;
  const bool middle_line = across < 0.08F && std::fmod(x + 600.0F, 6.0F) < 3.0F;
  return side_line || middle_line ? Material::marking : Material::road;
}

Material wall_at(float along, float z) noexcept {
  const float column = std::fmod(along + 300.0F, 3.0F);
  const float row = std::fmod(z, 3.2F);
  return column > 0.9F && column < 2.1F && row > 1.1F && row < 2.5F ? Material::window
                                                                    : Material::wall;
}

}  // namespace

Scene::Scene() : driving_{car(0, 1.2F)} {
  for (const float side : {-1.0F, 1.0F}) {
    houses_.push_back(house(-70, -38, side, 12));
    houses_.push_back(house(-36, -12, side, 9));
    houses_.push_back(house(-10, 11, side, side > 0 ? 7.0F : 13.0F));
    houses_.push_back(house(19, 44, side, 10));  // between 11 and 19: the side street
    houses_.push_back(house(46, 75, side, 14));
    for (float x = -42; x < 60; x += 14) {
      if (x > 8 && x < 20) continue;
      trees_.push_back(tree(x, side * 6.6F));
    }
  }
  for (const float x : {-31.0F, -18.0F, -12.0F, 7.0F, 26.0F, 32.0F}) parked_.push_back(car(x, 3));
  for (const float x : {-24.0F, -6.0F, 5.0F, 22.0F, 37.0F}) parked_.push_back(car(x, -3));
}

Scene::Box Scene::house(float from, float to, float side, float height) noexcept {
  const float near = side * kPavement;
  const float far = side * (kPavement + 10.0F);
  return {{from, std::min(near, far), 0}, {to, std::max(near, far), height}, Material::wall};
}

Scene::Car Scene::car(float x, float y) noexcept {
  return {.around = {x, y, 2.4F},
          .body = {{x - 2.2F, y - 0.9F, 0.25F}, {x + 2.2F, y + 0.9F, 0.95F}, Material::car},
          .cabin = {{x - 1.3F, y - 0.8F, 0.95F}, {x + 0.9F, y + 0.8F, 1.5F}, Material::glass}};
}

Scene::Tree Scene::tree(float x, float y) noexcept {
  return {.around = {x, y, 1.45F},
          .trunk = {{x - 0.15F, y - 0.15F, 0}, {x + 0.15F, y + 0.15F, 3.0F}, Material::trunk},
          .crown = {{x, y, 4.0F}, 1.4F}};
}

// Seen from above; no division and no root, because nearly every ray ends here.
bool Scene::Ray::passes_by(const Circle& circle) const noexcept {
  const float x = circle.x - origin.x;
  const float y = circle.y - origin.y;
  const float reach = circle.radius * circle.radius;
  const float aside = x * direction.y - y * direction.x;
  if (aside * aside > reach * (direction.x * direction.x + direction.y * direction.y)) return true;
  return x * direction.x + y * direction.y < 0 && x * x + y * y > reach;  // behind
}

void Scene::meet_ground(const Ray& ray, Hit& hit) noexcept {
  if (ray.direction.z >= 0) return;
  const float distance = -ray.origin.z * ray.inverse.z;
  if (distance >= hit.distance) return;
  const Vec3 at = ray.at(distance);
  hit = {distance, ground_at(at.x, at.y), {0, 0, 1}};
}

// The slab method. Where a ray lies in the plane of a side, 0 × ∞ is no number, and min and max
// with it as their second argument leave the first: that side then says nothing.
void Scene::meet_box(const Box& box, const Ray& ray, Hit& hit) noexcept {
  const Vec3& o = ray.origin;
  const Vec3& inverse = ray.inverse;
  const Vec3 a{(box.low.x - o.x) * inverse.x, (box.low.y - o.y) * inverse.y,
               (box.low.z - o.z) * inverse.z};
  const Vec3 b{(box.high.x - o.x) * inverse.x, (box.high.y - o.y) * inverse.y,
               (box.high.z - o.z) * inverse.z};
  const Vec3 in{std::min(a.x, b.x), std::min(a.y, b.y), std::min(a.z, b.z)};
  const float enter = std::max(std::max(std::max(0.0F, in.x), in.y), in.z);
  const float leave = std::min(
      std::min(std::min(hit.distance, std::max(a.x, b.x)), std::max(a.y, b.y)), std::max(a.z, b.z));
  if (enter > leave || enter <= 0 || enter >= hit.distance) return;
  hit = {enter, box.material, {0, 0, 0}};
  if (enter == in.x) {
    hit.normal.x = ray.direction.x > 0 ? -1.0F : 1.0F;
  } else if (enter == in.y) {
    hit.normal.y = ray.direction.y > 0 ? -1.0F : 1.0F;
  } else {
    hit.normal.z = ray.direction.z > 0 ? -1.0F : 1.0F;
  }
  if (box.material != Material::wall) return;
  const Vec3 at = ray.at(enter);
  hit.material = wall_at(hit.normal.y != 0 ? at.x : at.y, at.z);
}

void Scene::meet_ball(const Ball& ball, const Ray& ray, Hit& hit) noexcept {
  const Vec3 to{ball.centre.x - ray.origin.x, ball.centre.y - ray.origin.y,
                ball.centre.z - ray.origin.z};
  const Vec3& d = ray.direction;
  const float along = to.x * d.x + to.y * d.y + to.z * d.z;
  const float off = to.x * to.x + to.y * to.y + to.z * to.z - along * along;
  const float inside = ball.radius * ball.radius - off;
  if (inside < 0) return;
  const float distance = along - std::sqrt(inside);
  if (distance <= 0 || distance >= hit.distance) return;
  hit = {distance,
         Material::leaf,
         {(distance * d.x - to.x) / ball.radius, (distance * d.y - to.y) / ball.radius,
          (distance * d.z - to.z) / ball.radius}};
}

void Scene::meet_car(const Car& car, const Ray& ray, Hit& hit) noexcept {
  if (ray.passes_by(car.around)) return;
  meet_box(car.body, ray, hit);
  meet_box(car.cabin, ray, hit);
}

void Scene::meet_tree(const Tree& tree, const Ray& ray, Hit& hit) noexcept {
  if (ray.passes_by(tree.around)) return;
  meet_box(tree.trunk, ray, hit);
  meet_ball(tree.crown, ray, hit);
}

std::optional<Scene::Hit> Scene::cast(const Vec3& origin, const Vec3& direction, float seconds,
                                      float most) const noexcept {
  Ray ray{.origin = origin,
          .direction = direction,
          .inverse = {1.0F / direction.x, 1.0F / direction.y, 1.0F / direction.z}};
  Hit hit{.distance = most};
  meet_ground(ray, hit);
  for (const Box& house : houses_) meet_box(house, ray, hit);
  for (const Car& car : parked_) meet_car(car, ray, hit);
  for (const Tree& tree : trees_) meet_tree(tree, ray, hit);
  // The car stays and the eye moves instead.
  ray.origin.x -= std::fmod(seconds * kSpeed, kLap) - kLap / 2;
  meet_car(driving_, ray, hit);
  if (hit.distance == most) return std::nullopt;
  return hit;
}

std::uint8_t Scene::reflectivity(Material material) noexcept {
  switch (material) {
    case Material::road:
      return 8;
    case Material::marking:
      return 140;
    case Material::pavement:
      return 22;
    case Material::wall:
      return 45;
    case Material::window:
      return 12;
    case Material::car:
      return 70;
    case Material::glass:
      return 15;
    case Material::trunk:
      return 30;
    case Material::leaf:
      return 55;
  }
  return 0;
}

}  // namespace penstock
