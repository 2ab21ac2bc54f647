// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#include "sink/birds_eye.hpp"

#include "sink/lettering.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <optional>
#include <string>
#include <vector>

namespace penstock {
namespace {

constexpr Rgb kGround{11, 14, 20};
constexpr Rgb kGrid{120, 140, 170};
constexpr Rgb kText{170, 185, 205};
constexpr Rgb kTitle{235, 240, 248};
constexpr int kMargin = 24;
constexpr auto kSide = static_cast<int>(kBirdsEyeSide);
constexpr float kMiddle = static_cast<float>(kSide) / 2;

struct Point {
  float x, y, z;
};

std::vector<Point> points_of(const RecordLayout& layout, std::size_t count,
                             std::span<const std::byte> records) {
  const auto offset = [&](std::string_view name) -> std::optional<std::size_t> {
    for (const Field& field : layout.fields) {
      if (field.name == name && field.type == ElementType::f32) return field.offset;
    }
    return std::nullopt;
  };
  const auto x = offset("x"), y = offset("y"), z = offset("z");
  std::vector<Point> points;
  if (!x || !y || !z || layout.stride == 0) return points;

  count = std::min(count, records.size() / layout.stride);
  points.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    const std::byte* const record = records.data() + i * layout.stride;
    Point p{};
    std::memcpy(&p.x, record + *x, sizeof p.x);
    std::memcpy(&p.y, record + *y, sizeof p.y);
    std::memcpy(&p.z, record + *z, sizeof p.z);
    if (std::isfinite(p.x) && std::isfinite(p.y) && std::isfinite(p.z)) points.push_back(p);
  }
  return points;
}

// The value that a share of `fraction` of them does not exceed; they are not empty.
float quantile(std::vector<float>& values, double fraction) {
  const auto rank = static_cast<std::ptrdiff_t>(fraction * static_cast<double>(values.size() - 1));
  std::nth_element(values.begin(), values.begin() + rank, values.end());
  return values[static_cast<std::size_t>(rank)];
}

// Blue, green, yellow, white: each step as much lighter as the last, so that equal differences of
// height look equal, and none so dark that it is lost on the ground.
Rgb ramp(float share) noexcept {
  constexpr std::array<Rgb, 6> kStops = {{{74, 84, 196},
                                          {42, 134, 206},
                                          {44, 178, 170},
                                          {112, 208, 102},
                                          {232, 222, 70},
                                          {255, 250, 214}}};
  const float place = std::clamp(share, 0.0f, 1.0f) * static_cast<float>(kStops.size() - 1);
  const auto low = std::min(static_cast<std::size_t>(place), kStops.size() - 2);
  const float part = place - static_cast<float>(low);
  const auto between = [&](std::uint8_t a, std::uint8_t b) {
    return static_cast<std::uint8_t>(
        std::lround(static_cast<float>(a) + part * static_cast<float>(b - a)));
  };
  const Rgb a = kStops[low], b = kStops[low + 1];
  return {between(a.r, b.r), between(a.g, b.g), between(a.b, b.b)};
}

// What is shown: up to where, with a ring every so often, and the heights of the ramp's ends.
struct View {
  float extent_m = 40;
  float ring_m = 10;
  float low_m = -2;
  float high_m = 2;

  [[nodiscard]] float pixels_per_m() const noexcept { return (kMiddle - kMargin) / extent_m; }
};

// So that there are about three to nine rings.
float ring_step(float extent_m) noexcept {
  if (extent_m <= 12) return 2;
  if (extent_m <= 25) return 5;
  return extent_m <= 90 ? 10 : 50;
}

View view_of(const std::vector<Point>& points) {
  View view;
  if (points.empty()) return view;
  std::vector<float> values(points.size());
  std::transform(points.begin(), points.end(), values.begin(),
                 [](const Point& p) { return std::hypot(p.x, p.y); });
  // Within what the eye can use, and finite whatever a sensor sends.
  view.extent_m = std::clamp(quantile(values, 0.98) * 1.05f, 4.0f, 400.0f);
  view.ring_m = ring_step(view.extent_m);

  std::transform(points.begin(), points.end(), values.begin(), [](const Point& p) { return p.z; });
  view.low_m = quantile(values, 0.02);
  view.high_m = std::max(quantile(values, 0.98), view.low_m + 0.1f);
  return view;
}

void draw_grid(RgbImage& image, const View& view) {
  for (int i = kMargin; i < kSide - kMargin; ++i) {
    image.blend(i, kSide / 2, kGrid, 0.18f);
    image.blend(kSide / 2, i, kGrid, 0.18f);
  }
  for (float radius = view.ring_m; radius <= view.extent_m; radius += view.ring_m) {
    image.ring(kMiddle, kMiddle, radius * view.pixels_per_m(), kGrid, 0.38f);
  }
}

// After the points, so that they can be read.
void label_rings(RgbImage& image, const View& view) {
  constexpr float kDiagonal = 0.70710678f;
  for (float radius = view.ring_m; radius <= view.extent_m; radius += view.ring_m) {
    const auto away = static_cast<int>(radius * view.pixels_per_m() * kDiagonal);
    const std::string text = fmt::format("{:.0f} m", radius);
    const int x = kSide / 2 + away - text_width(text, 2) / 2;
    const int y = kSide / 2 - away - kLetterHeight;
    image.fill(x - 3, y - 3, text_width(text, 2) + 4, 2 * kLetterHeight + 6, kGround);
    write_text(image, x, y, text, 2, kText);
  }
}

void draw_points(RgbImage& image, const View& view, std::vector<Point>& points) {
  // High ones last: they are on top for a bird, too.
  std::sort(points.begin(), points.end(), [](const Point& a, const Point& b) { return a.z < b.z; });
  for (const Point& p : points) {
    // Forward is up, and left is left.
    const float column = kMiddle - p.y * view.pixels_per_m();
    const float row = kMiddle - p.x * view.pixels_per_m();
    if (!(column > 0 && column < kSide && row > 0 && row < kSide)) continue;
    image.dot(column, row, 1.1f, ramp((p.z - view.low_m) / (view.high_m - view.low_m)));
  }
}

// An arrowhead that points the way the sensor looks.
void draw_sensor(RgbImage& image) {
  constexpr int kHeight = 16;
  for (int row = 0; row < kHeight; ++row) {
    const int half = row / 2;
    image.fill(kSide / 2 - half, kSide / 2 - kHeight / 2 + row, 2 * half + 1, 1, kTitle);
  }
}

void draw_legend(RgbImage& image, const View& view) {
  constexpr int kBarHeight = 180, kBarWidth = 14;
  constexpr int kLeft = kSide - kMargin - kBarWidth, kTop = kSide - kMargin - kBarHeight;
  image.fill(kLeft - 120, kTop - 34, 120 + kBarWidth + 8, kBarHeight + 42, kGround);
  for (int i = 0; i < kBarHeight; ++i) {
    const float share = 1 - static_cast<float>(i) / (kBarHeight - 1);
    image.fill(kLeft, kTop + i, kBarWidth, 1, ramp(share));
  }
  const auto label = [&](const std::string& text, int right, int y) {
    write_text(image, right - text_width(text, 2), y, text, 2, kText);
  };
  label("height", kLeft + kBarWidth + 2, kTop - 24);
  label(fmt::format("{:+.1f} m", view.high_m), kLeft - 6, kTop);
  label(fmt::format("{:+.1f} m", view.low_m), kLeft - 6, kTop + kBarHeight - 2 * kLetterHeight);
}

}  // namespace

RgbImage birds_eye(const RecordLayout& layout, std::size_t count,
                   std::span<const std::byte> records, std::string_view title) {
  std::vector<Point> points = points_of(layout, count, records);
  const View view = view_of(points);
  RgbImage image{kBirdsEyeSide, kBirdsEyeSide, kGround};
  draw_grid(image, view);
  draw_points(image, view, points);
  label_rings(image, view);
  draw_sensor(image);
  draw_legend(image, view);

  const std::string below =
      fmt::format("{} points   a ring every {:.0f} m   forward is up", points.size(), view.ring_m);
  image.fill(0, 0, text_width(title, 3) + 2 * kMargin, 58, kGround);
  write_text(image, kMargin, kMargin, title, 3, kTitle);
  image.fill(0, kSide - 52, text_width(below, 2) + 2 * kMargin, 52, kGround);
  write_text(image, kMargin, kSide - kMargin - 2 * kLetterHeight, below, 2, kText);
  return image;
}

}  // namespace penstock
