// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace penstock {

struct Rgb {
  std::uint8_t r = 0;
  std::uint8_t g = 0;
  std::uint8_t b = 0;
  bool operator==(const Rgb&) const = default;
};

// A picture of 8-bit RGB, rows from the top, without padding.
class RgbImage {
 public:
  RgbImage() = default;
  RgbImage(std::uint32_t width, std::uint32_t height, Rgb fill = {});

  [[nodiscard]] std::uint32_t width() const noexcept { return width_; }
  [[nodiscard]] std::uint32_t height() const noexcept { return height_; }
  [[nodiscard]] std::span<const Rgb> pixels() const noexcept { return pixels_; }
  // Must be inside.
  [[nodiscard]] Rgb at(std::uint32_t x, std::uint32_t y) const noexcept {
    return pixels_[std::size_t{y} * width_ + x];
  }

  // Takes over size and content of float32 planes R, G, B, each height × width, 0..1; what lies
  // outside of that, or is no number, is clamped. False when `planes` is too short for it.
  [[nodiscard]] bool assign_planes(std::uint32_t width, std::uint32_t height,
                                   std::span<const std::byte> planes);

  // Drawing, clipped to the picture. Pixel centres have whole coordinates; `opacity` is 0..1.
  void blend(int x, int y, Rgb colour, float opacity) noexcept;
  void dot(float x, float y, float radius, Rgb colour) noexcept;
  void ring(float x, float y, float radius, Rgb colour, float opacity) noexcept;
  void fill(int x, int y, int width, int height, Rgb colour) noexcept;

 private:
  std::uint32_t width_ = 0;
  std::uint32_t height_ = 0;
  std::vector<Rgb> pixels_;
};

}  // namespace penstock
