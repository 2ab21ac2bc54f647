// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/recipe.hpp"

#include "kernels/vlp16.hpp"

#include <array>

namespace penstock {
namespace {

using kernels::Point;
namespace vlp16 = kernels::vlp16;

constexpr std::array kPointFields{
    Field{"x", offsetof(Point, x), ElementType::f32},
    Field{"y", offsetof(Point, y), ElementType::f32},
    Field{"z", offsetof(Point, z), ElementType::f32},
    Field{"intensity", offsetof(Point, intensity), ElementType::f32},
    Field{"ring", offsetof(Point, ring), ElementType::u16},
    Field{"time", offsetof(Point, time), ElementType::f32},
    Field{"return", offsetof(Point, ret), ElementType::u8},
};
constexpr RecordLayout kPoints{kPointFields, sizeof(Point)};

std::size_t image_result(const Recipe& recipe) noexcept {
  return 3 * sizeof(float) * std::size_t{recipe.width} * recipe.height;
}

}  // namespace

std::size_t result_bytes(const Recipe& recipe, std::size_t frame_bytes) noexcept {
  switch (recipe.kind) {
    case RecipeKind::checksum:
      return 0;
    case RecipeKind::velodyne_vlp16:
      return frame_bytes / vlp16::kPacketBytes * vlp16::kPointsPerPacket * sizeof(Point);
    case RecipeKind::bayer8:
    case RecipeKind::uyvy:
      return image_result(recipe);
  }
  return 0;
}

ResultShape result_shape(const Recipe& recipe, const FrameInfo& frame) noexcept {
  ResultShape shape{.layout = {}, .bytes = result_bytes(recipe, frame.bytes)};
  switch (recipe.kind) {
    case RecipeKind::checksum:
      break;
    case RecipeKind::velodyne_vlp16:
      shape.layout.kind = ContentLayout::Kind::points;
      shape.layout.records = &kPoints;
      shape.layout.count = static_cast<std::uint32_t>(shape.bytes / sizeof(Point));
      break;
    case RecipeKind::bayer8:
    case RecipeKind::uyvy:
      shape.layout.kind = ContentLayout::Kind::image;
      shape.layout.width = recipe.width;
      shape.layout.height = recipe.height;
      break;
  }
  return shape;
}

bool decodable(const Recipe& recipe, const FrameInfo& frame) noexcept {
  const std::uint64_t pixels = std::uint64_t{recipe.width} * recipe.height;
  const bool has_pixels = recipe.width >= 2 && recipe.height >= 2;
  switch (recipe.kind) {
    case RecipeKind::checksum:
      return true;
    case RecipeKind::velodyne_vlp16:
      return frame.bytes != 0 && frame.bytes % vlp16::kPacketBytes == 0 &&
             frame.skip_blocks_head <= vlp16::kBlocks && frame.skip_blocks_tail <= vlp16::kBlocks;
    case RecipeKind::bayer8:
      return has_pixels && frame.bytes == pixels;
    case RecipeKind::uyvy:
      return has_pixels && recipe.width % 2 == 0 && frame.bytes == 2 * pixels;
  }
  return false;
}

}  // namespace penstock
