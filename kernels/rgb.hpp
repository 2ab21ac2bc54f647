// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/host_device.hpp"
#include "kernels/job.hpp"

#include <cstddef>
#include <cstdint>

namespace penstock::kernels {

// One pixel, 0 … 1. An image is three planes R, G, B, each height × width float32.
struct Rgb {
  float r, g, b;
};

namespace detail {

PENSTOCK_HOST_DEVICE inline std::uint32_t pixel(const Job& job, std::uint32_t x,
                                                std::uint32_t y) noexcept {
  return static_cast<std::uint32_t>(job.payload[std::uint64_t{y} * job.width + x]);
}

// The neighbour before and after, mirrored at the border without repeating it, so that it has the
// colour that it would have had.
PENSTOCK_HOST_DEVICE inline std::uint32_t before(std::uint32_t at) noexcept {
  return at == 0 ? 1 : at - 1;
}
PENSTOCK_HOST_DEVICE inline std::uint32_t after(std::uint32_t at, std::uint32_t size) noexcept {
  return at + 1 == size ? at - 1 : at + 1;
}

PENSTOCK_HOST_DEVICE inline float clamp_unit(float value) noexcept {
  return value < 0.0F ? 0.0F : value > 1.0F ? 1.0F : value;
}

}  // namespace detail

// Bilinear demosaicing: the missing colours of a pixel are the means of its nearest neighbours of
// that colour. Width and height at least 2.
PENSTOCK_HOST_DEVICE inline Rgb bayer8_pixel(const Job& job, std::uint32_t x,
                                             std::uint32_t y) noexcept {
  using namespace detail;  // NOLINT(google-build-using-namespace): its own helpers
  const std::uint32_t l = before(x);
  const std::uint32_t r = after(x, job.width);
  const std::uint32_t u = before(y);
  const std::uint32_t d = after(y, job.height);
  const std::uint32_t here = pixel(job, x, y);
  const std::uint32_t across = pixel(job, l, y) + pixel(job, r, y);
  const std::uint32_t along = pixel(job, x, u) + pixel(job, x, d);
  const std::uint32_t corners =
      pixel(job, l, u) + pixel(job, r, u) + pixel(job, l, d) + pixel(job, r, d);

  // Where red lies in the 2 × 2 cell, by pattern RG, GR, GB, BG.
  const std::uint32_t red_x = job.pattern == 1 || job.pattern == 3 ? 1 : 0;
  const std::uint32_t red_y = job.pattern == 2 || job.pattern == 3 ? 1 : 0;
  const bool red_column = (x & 1) == red_x;
  const bool red_row = (y & 1) == red_y;
  constexpr float kOne = 1.0F / 255.0F;
  constexpr float kTwo = 1.0F / 510.0F;
  constexpr float kFour = 1.0F / 1020.0F;
  const float own = static_cast<float>(here) * kOne;
  const float cross = static_cast<float>(across + along) * kFour;
  const float diagonal = static_cast<float>(corners) * kFour;
  if (red_row && red_column) return {own, cross, diagonal};
  if (!red_row && !red_column) return {diagonal, cross, own};
  const float horizontal = static_cast<float>(across) * kTwo;
  const float vertical = static_cast<float>(along) * kTwo;
  return red_row ? Rgb{horizontal, own, vertical} : Rgb{vertical, own, horizontal};
}

// UYVY 4:2:2 (bytes Cb Y0 Cr Y1), ITU-R BT.601, limited range: Y 16 … 235, Cb and Cr 16 … 240.
PENSTOCK_HOST_DEVICE inline Rgb uyvy_pixel(const Job& job, std::uint32_t x,
                                           std::uint32_t y) noexcept {
  const std::byte* const pair =
      job.payload + 2 * (std::uint64_t{y} * job.width + (x & ~std::uint32_t{1}));
  const float luma =
      (static_cast<float>(static_cast<std::uint32_t>(pair[1 + 2 * (x & 1)])) - 16.0F) / 219.0F;
  const float cb = (static_cast<float>(static_cast<std::uint32_t>(pair[0])) - 128.0F) / 224.0F;
  const float cr = (static_cast<float>(static_cast<std::uint32_t>(pair[2])) - 128.0F) / 224.0F;
  return {detail::clamp_unit(luma + 1.402F * cr),
          detail::clamp_unit(luma - 0.344136F * cb - 0.714136F * cr),
          detail::clamp_unit(luma + 1.772F * cb)};
}

}  // namespace penstock::kernels
