// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#include "client/sensors/camera.hpp"

#include <algorithm>
#include <cmath>

namespace penstock {
namespace {

constexpr Vec3 kMount{1.0F, 0, 1.5F};
constexpr float kHalfView = 0.75F;   // tangent of half the horizontal field of view
constexpr std::uint32_t kBlock = 2;  // pixels that share a ray, each way
constexpr std::uint32_t kNumberBits = 16;

struct Paint {
  float r, g, b;
};

Paint paint(Material material) noexcept {
  switch (material) {
    case Material::road:
      return {70, 72, 76};
    case Material::marking:
      return {225, 225, 215};
    case Material::pavement:
      return {140, 134, 126};
    case Material::wall:
      return {188, 148, 112};
    case Material::window:
      return {62, 86, 112};
    case Material::car:
      return {172, 36, 40};
    case Material::glass:
      return {42, 54, 66};
    case Material::trunk:
      return {92, 66, 44};
    case Material::leaf:
      return {62, 124, 52};
  }
  return {0, 0, 0};
}

std::uint8_t byte(float value) noexcept {
  return static_cast<std::uint8_t>(std::clamp(value + 0.5F, 0.0F, 255.0F));
}

// Which colour the mosaic has at a pixel: 0 red, 1 green, 2 blue.
int mosaic(StreamKind format, std::uint32_t x, std::uint32_t y) noexcept {
  const bool red_right = format == StreamKind::bayer_gr8 || format == StreamKind::bayer_bg8;
  const bool red_below = format == StreamKind::bayer_gb8 || format == StreamKind::bayer_bg8;
  const bool red_column = ((x & 1) != 0) == red_right;
  const bool red_row = ((y & 1) != 0) == red_below;
  return red_column == red_row ? (red_row ? 0 : 2) : 1;
}

}  // namespace

CameraSimulator::Colour CameraSimulator::look(const Scene& scene, float right, float up) noexcept {
  const float length = std::sqrt(1.0F + right * right + up * up);
  const Vec3 direction{1.0F / length, -right / length, up / length};
  const auto hit = scene.cast(kMount, direction, 0.0F);
  if (!hit) {  // the sky, paler towards the horizon
    const float t = std::clamp(direction.z * 2.2F, 0.0F, 1.0F);
    return {byte(205 - 105 * t), byte(222 - 72 * t), byte(240 - 20 * t)};
  }
  const Vec3 sun{-0.45F, 0.35F, 0.82F};
  const float facing = hit->normal.x * sun.x + hit->normal.y * sun.y + hit->normal.z * sun.z;
  const float light = 0.55F + 0.45F * std::max(facing, 0.0F);
  const float haze = std::min(hit->distance / 140.0F, 0.75F);
  const Paint p = paint(hit->material);
  return {byte(p.r * light * (1 - haze) + 205 * haze), byte(p.g * light * (1 - haze) + 222 * haze),
          byte(p.b * light * (1 - haze) + 240 * haze)};
}

CameraSimulator::CameraSimulator(const Scene& scene, StreamKind format, std::uint32_t width,
                                 std::uint32_t height)
    : format_{format}, width_{width}, height_{height}, pixels_(image_bytes(format, width, height)) {
  const float scale = 2 * kHalfView / static_cast<float>(width);
  for (std::uint32_t y = 0; y < height; y += kBlock) {
    const float up = (static_cast<float>(height) * 0.45F - static_cast<float>(y)) * scale;
    for (std::uint32_t x = 0; x < width; x += kBlock) {
      const float right = (static_cast<float>(x) - static_cast<float>(width) / 2) * scale;
      fill(x, y, kBlock, kBlock, look(scene, right, up));
    }
  }
}

void CameraSimulator::set(std::uint32_t x, std::uint32_t y, Colour colour) noexcept {
  const std::size_t at = std::size_t{y} * width_ + x;
  if (format_ != StreamKind::uyvy) {
    const std::uint8_t value[3] = {colour.r, colour.g, colour.b};
    pixels_[at] = static_cast<std::byte>(value[mosaic(format_, x, y)]);
    return;
  }
  // ITU-R BT.601, limited range; a pair shares the colour of its left pixel.
  const auto r = static_cast<float>(colour.r);
  const auto g = static_cast<float>(colour.g);
  const auto b = static_cast<float>(colour.b);
  pixels_[2 * at + 1] =
      static_cast<std::byte>(byte(16 + 0.256788F * r + 0.504129F * g + 0.097906F * b));
  if (x % 2 != 0) return;
  pixels_[2 * at] =
      static_cast<std::byte>(byte(128 - 0.148223F * r - 0.290993F * g + 0.439216F * b));
  pixels_[2 * at + 2] =
      static_cast<std::byte>(byte(128 + 0.439216F * r - 0.367788F * g - 0.071427F * b));
}

void CameraSimulator::fill(std::uint32_t x, std::uint32_t y, std::uint32_t width,
                           std::uint32_t height, Colour colour) noexcept {
  for (std::uint32_t row = y; row < std::min(y + height, height_); ++row) {
    for (std::uint32_t column = x; column < std::min(x + width, width_); ++column) {
      set(column, row, colour);
    }
  }
}

std::span<const std::byte> CameraSimulator::frame(std::uint64_t number) noexcept {
  const std::uint32_t strip = std::max(height_ / 40, 2u);
  const std::uint32_t bottom = height_ - strip;
  const std::uint32_t bar = std::max(width_ / 256, 2u) & ~1u;
  fill(0, bottom, width_, strip, {24, 24, 28});
  fill(static_cast<std::uint32_t>(number % 256 * (width_ - bar) / 255) & ~1u, bottom, bar, strip,
       {255, 190, 40});
  const std::uint32_t square = std::max(width_ / 96, 2u) & ~1u;
  for (std::uint32_t bit = 0; bit < kNumberBits; ++bit) {
    const bool set_bit = (number >> (kNumberBits - 1 - bit) & 1) != 0;
    fill(square * (bit + 1), square, square - 2, square - 2,
         set_bit ? Colour{255, 255, 255} : Colour{30, 30, 30});
  }
  return pixels_;
}

}  // namespace penstock
