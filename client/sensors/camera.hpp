// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "client/sensors/scene.hpp"
#include "net/wire/stream_kind.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace penstock {

// A camera that looks along the street of a Scene, in a raw pixel format. The street is drawn once;
// a frame draws only what moves: a bar that crosses the picture once in 256 frames, so that each
// frame differs from the last, and a row of squares that shows the frame number in binary.
//
// Thread: one. Cost: a frame allocates nothing and touches a few per cent of the picture.
class CameraSimulator {
 public:
  // `format`: bayer_rg8 … bayer_bg8 or uyvy. Width and height at least 64, the width even.
  CameraSimulator(const Scene& scene, StreamKind format, std::uint32_t width, std::uint32_t height);

  // The bytes of frame `number`: valid until the next call.
  [[nodiscard]] std::span<const std::byte> frame(std::uint64_t number) noexcept;

 private:
  struct Colour {
    std::uint8_t r, g, b;
  };
  [[nodiscard]] static Colour look(const Scene& scene, float right, float up) noexcept;
  void set(std::uint32_t x, std::uint32_t y, Colour colour) noexcept;
  void fill(std::uint32_t x, std::uint32_t y, std::uint32_t width, std::uint32_t height,
            Colour colour) noexcept;

  const StreamKind format_;
  const std::uint32_t width_;
  const std::uint32_t height_;
  std::vector<std::byte> pixels_;
};

}  // namespace penstock
