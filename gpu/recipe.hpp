// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "buffer/frame_info.hpp"

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace penstock {

// Which kernel a stream's frames go through.
enum class RecipeKind : std::uint8_t {
  checksum,        // payload of any kind → Fletcher sums, no result slot
  velodyne_vlp16,  // VLP-16 packets → points
  bayer8,          // 8-bit Bayer mosaic → planar RGB float32
  uyvy,            // UYVY 4:2:2 → planar RGB float32
};

// The colour of the top left pixel and its right neighbour, as in PFNC names.
enum class BayerPattern : std::uint8_t { rg, gr, gb, bg };

// What is done with every frame of a stream. Chosen when the stream opens, then constant.
struct Recipe {
  RecipeKind kind = RecipeKind::checksum;
  std::uint32_t width = 0;   // images: pixels
  std::uint32_t height = 0;  // images: pixels
  BayerPattern pattern = BayerPattern::rg;
  bool checksum = false;  // also sum the payload, beside the decoding
};

// Bytes that a result slot needs so that the result of any frame of at most `frame_bytes` fits; 0
// when the recipe makes no result beside its sums.
[[nodiscard]] std::size_t result_bytes(const Recipe& recipe, std::size_t frame_bytes) noexcept;

// What the result of `frame` is, with its size in bytes in `bytes`.
struct ResultShape {
  ContentLayout layout;
  std::size_t bytes = 0;
};
[[nodiscard]] ResultShape result_shape(const Recipe& recipe, const FrameInfo& frame) noexcept;

// Whether the payload is as long as the kernel will read. A frame that fails this never reaches a
// kernel: the lane drops it and counts it.
[[nodiscard]] bool decodable(const Recipe& recipe, const FrameInfo& frame) noexcept;

}  // namespace penstock
