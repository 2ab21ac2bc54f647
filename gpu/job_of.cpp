// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/job_of.hpp"

namespace penstock {
namespace {

kernels::JobKind kind_of(RecipeKind kind) noexcept {
  switch (kind) {
    case RecipeKind::checksum:
      return kernels::JobKind::none;
    case RecipeKind::velodyne_vlp16:
      return kernels::JobKind::vlp16;
    case RecipeKind::bayer8:
      return kernels::JobKind::bayer8;
    case RecipeKind::uyvy:
      return kernels::JobKind::uyvy;
  }
  return kernels::JobKind::none;
}

}  // namespace

kernels::Job job_of(const Work& work, const JobAddresses& at) noexcept {
  const Recipe& recipe = *work.recipe;
  const FrameInfo& frame = work.frame->info();
  const bool sums = recipe.checksum || recipe.kind == RecipeKind::checksum;
  return {.payload = at.payload,
          .payload_bytes = frame.bytes,
          .result = at.result,
          .sums = sums ? at.sums : nullptr,
          .kind = kind_of(recipe.kind),
          .pattern = static_cast<std::uint8_t>(recipe.pattern),
          .skip_blocks_head = frame.skip_blocks_head,
          .skip_blocks_tail = frame.skip_blocks_tail,
          .width = recipe.width,
          .height = recipe.height};
}

}  // namespace penstock
