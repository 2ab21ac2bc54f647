// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#include "client/sensors/scene.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace penstock {
namespace {

constexpr float kRoad = 4.0F;      // half its width
constexpr float kPavement = 7.5F;  // where the houses begin
constexpr float kSpeed = 8.0F;     // m/s, of the car that drives
constexpr float kLap = 90.0F;      // metres until it begins anew

// Where a ray enters a box, along its direction: the slab method. Infinity when it misses.
struct Entry {
  float distance = std::numeric_limits<float>::infinity();
  int axis = 0;
};

Entry enter(const Vec3& low, const Vec3& high, const Vec3& origin, const Vec3& inverse) noexcept {
  const float near[3] = {(low.x - origin.x) * inverse.x, (low.y - origin.y) * inverse.y,
                         (low.z - origin.z) * inverse.z};
  const float far[3] = {(high.x - origin.x) * inverse.x, (high.y - origin.y) * inverse.y,
                        (high.z - origin.z) * inverse.z};
  Entry entry{.distance = 0.0F};
  float leave = std::numeric_limits<float>::infinity();
  for (int axis = 0; axis < 3; ++axis) {
    const float in = std::min(near[axis], far[axis]);
    if (in > entry.distance) entry = {in, axis};
    leave = std::min(leave, std::max(near[axis], far[axis]));
  }
  if (entry.distance > leave || entry.distance <= 0.0F) return {};
  return entry;
}

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

Scene::Scene() {
  for (const float side : {-1.0F, 1.0F}) {
    add_house(-70, -38, side, 12);
    add_house(-36, -12, side, 9);
    add_house(-10, 11, side, side > 0 ? 7.0F : 13.0F);
    add_house(19, 44, side, 10);  // between 11 and 19: the side street
    add_house(46, 75, side, 14);
    for (float x = -42; x < 60; x += 14) {
      if (x > 8 && x < 20) continue;
      add_tree(x, side * 6.6F);
    }
  }
  for (const float x : {-31.0F, -18.0F, -12.0F, 7.0F, 26.0F, 32.0F}) add_car(x, 3.0F, false);
  for (const float x : {-24.0F, -6.0F, 5.0F, 22.0F, 37.0F}) add_car(x, -3.0F, false);
  add_car(0, 1.2F, true);
}

void Scene::add_house(float from, float to, float side, float height) {
  const float near = side * kPavement;
  const float far = side * (kPavement + 10.0F);
  boxes_.push_back(
      {{from, std::min(near, far), 0}, {to, std::max(near, far), height}, Material::wall});
}

void Scene::add_car(float x, float y, bool drives) {
  boxes_.push_back(
      {{x - 2.2F, y - 0.9F, 0.25F}, {x + 2.2F, y + 0.9F, 0.95F}, Material::car, drives});
  boxes_.push_back(
      {{x - 1.3F, y - 0.8F, 0.95F}, {x + 0.9F, y + 0.8F, 1.5F}, Material::glass, drives});
}

void Scene::add_tree(float x, float y) {
  boxes_.push_back({{x - 0.15F, y - 0.15F, 0}, {x + 0.15F, y + 0.15F, 3.0F}, Material::trunk});
  crowns_.push_back({{x, y, 4.0F}, 1.4F});
}

void Scene::meet_ground(const Ray& ray, Hit& hit) noexcept {
  if (ray.direction.z >= 0) return;
  const float distance = -ray.origin.z * ray.inverse.z;
  if (distance >= hit.distance) return;
  const Vec3 at = ray.at(distance);
  hit = {distance, ground_at(at.x, at.y), {0, 0, 1}};
}

void Scene::meet_box(const Box& box, const Ray& ray, Hit& hit) noexcept {
  const float driven = box.drives ? ray.driven : 0.0F;
  const Entry entry = enter({box.low.x + driven, box.low.y, box.low.z},
                            {box.high.x + driven, box.high.y, box.high.z}, ray.origin, ray.inverse);
  if (!(entry.distance < hit.distance)) return;
  const float d[3] = {ray.direction.x, ray.direction.y, ray.direction.z};
  float normal[3] = {0, 0, 0};
  normal[entry.axis] = d[entry.axis] > 0 ? -1.0F : 1.0F;
  hit = {entry.distance, box.material, {normal[0], normal[1], normal[2]}};
  if (box.material != Material::wall) return;
  const Vec3 at = ray.at(entry.distance);
  hit.material = wall_at(entry.axis == 1 ? at.x : at.y, at.z);
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

std::optional<Scene::Hit> Scene::cast(const Vec3& origin, const Vec3& direction, float seconds,
                                      float most) const noexcept {
  const Ray ray{.origin = origin,
                .direction = direction,
                .inverse = {1.0F / direction.x, 1.0F / direction.y, 1.0F / direction.z},
                .driven = std::fmod(seconds * kSpeed, kLap) - kLap / 2};
  Hit hit{.distance = most};
  meet_ground(ray, hit);
  for (const Box& box : boxes_) meet_box(box, ray, hit);
  for (const Ball& ball : crowns_) meet_ball(ball, ray, hit);
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
