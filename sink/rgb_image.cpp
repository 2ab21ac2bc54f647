// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#include "sink/rgb_image.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace penstock {
namespace {

static_assert(sizeof(Rgb) == 3, "rows are handed to libpng as they lie in memory");

// round(v * 255), halves upwards. Spelled out because adding 0.5 rounds the largest float below a
// half up as well, and calls of lround keep the loop from being vectorised.
std::uint8_t to_byte(float value) noexcept {
  const float scaled = value * 255.0f;
  if (!(scaled > 0.0f)) return 0;  // and what is no number
  if (scaled >= 255.0f) return 255;
  const auto whole = static_cast<int>(scaled);
  return static_cast<std::uint8_t>(whole + (scaled - static_cast<float>(whole) >= 0.5f ? 1 : 0));
}

std::uint8_t mix(std::uint8_t under, std::uint8_t over, float opacity) noexcept {
  const auto u = static_cast<float>(under);
  return static_cast<std::uint8_t>(std::lround(u + (static_cast<float>(over) - u) * opacity));
}

int floor_to_int(float value) noexcept { return static_cast<int>(std::floor(value)); }

}  // namespace

RgbImage::RgbImage(std::uint32_t width, std::uint32_t height, Rgb fill)
    : width_{width}, height_{height}, pixels_(std::size_t{width} * height, fill) {}

bool RgbImage::assign_planes(std::uint32_t width, std::uint32_t height,
                             std::span<const std::byte> planes) {
  const std::size_t pixels = std::size_t{width} * height;
  if (planes.size() / (3 * sizeof(float)) < pixels) return false;
  width_ = width;
  height_ = height;
  pixels_.resize(pixels);
  const std::byte* const base = planes.data();
  const auto value = [&](std::size_t index) noexcept {
    float v = 0;
    std::memcpy(&v, base + index * sizeof v, sizeof v);
    return to_byte(v);
  };
  for (std::size_t i = 0; i < pixels; ++i) {
    pixels_[i] = {value(i), value(pixels + i), value(2 * pixels + i)};
  }
  return true;
}

void RgbImage::blend(int x, int y, Rgb colour, float opacity) noexcept {
  if (x < 0 || y < 0) return;
  const auto column = static_cast<std::uint32_t>(x);
  const auto row = static_cast<std::uint32_t>(y);
  if (column >= width_ || row >= height_) return;
  Rgb& pixel = pixels_[std::size_t{row} * width_ + column];
  pixel = {mix(pixel.r, colour.r, opacity), mix(pixel.g, colour.g, opacity),
           mix(pixel.b, colour.b, opacity)};
}

void RgbImage::dot(float x, float y, float radius, Rgb colour) noexcept {
  const int top = floor_to_int(y - radius);
  const int left = floor_to_int(x - radius);
  const int side = floor_to_int(2 * radius) + 2;
  for (int row = top; row <= top + side; ++row) {
    for (int column = left; column <= left + side; ++column) {
      const float distance =
          std::hypot(static_cast<float>(column) - x, static_cast<float>(row) - y);
      const float cover = std::clamp(radius + 0.5f - distance, 0.0f, 1.0f);
      if (cover > 0) blend(column, row, colour, cover);
    }
  }
}

void RgbImage::ring(float x, float y, float radius, Rgb colour, float opacity) noexcept {
  const auto rows = static_cast<int>(height_);
  const auto columns = static_cast<int>(width_);
  for (int row = 0; row < rows; ++row) {
    for (int column = 0; column < columns; ++column) {
      const float distance =
          std::hypot(static_cast<float>(column) - x, static_cast<float>(row) - y);
      const float cover = 1.0f - std::abs(distance - radius);
      if (cover > 0) blend(column, row, colour, cover * opacity);
    }
  }
}

void RgbImage::fill(int x, int y, int width, int height, Rgb colour) noexcept {
  for (int row = y; row < y + height; ++row) {
    for (int column = x; column < x + width; ++column) blend(column, row, colour, 1);
  }
}

}  // namespace penstock
