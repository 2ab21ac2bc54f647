// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#include "server/stream_plan.hpp"

#include "buffer/mapping.hpp"
#include "net/formats/registry.hpp"

#include <algorithm>

namespace penstock {
namespace {

// Enough for the frames that a busy device has in flight, without letting one stream of large
// images take the machine: the sum of both rings of a 4K camera stays under 256 MiB.
constexpr std::size_t kFrameMemory = 16u << 20;
constexpr std::size_t kResultMemory = 64u << 20;

std::uint32_t slots_within(std::size_t memory, std::size_t slot_bytes, std::uint32_t least_slots) {
  const std::size_t fit = memory / slot_bytes;
  return static_cast<std::uint32_t>(std::clamp<std::size_t>(fit, least_slots, 64));
}

Recipe recipe_for(StreamKind kind, std::uint32_t width, std::uint32_t height, bool checksum) {
  Recipe recipe{.width = width, .height = height, .checksum = checksum};
  switch (kind) {
    case StreamKind::raw:
    case StreamKind::imu:
      recipe.kind = RecipeKind::checksum;
      break;
    case StreamKind::velodyne_vlp16:
      recipe.kind = RecipeKind::velodyne_vlp16;
      break;
    case StreamKind::bayer_rg8:
      recipe.kind = RecipeKind::bayer8;
      recipe.pattern = BayerPattern::rg;
      break;
    case StreamKind::bayer_gr8:
      recipe.kind = RecipeKind::bayer8;
      recipe.pattern = BayerPattern::gr;
      break;
    case StreamKind::bayer_gb8:
      recipe.kind = RecipeKind::bayer8;
      recipe.pattern = BayerPattern::gb;
      break;
    case StreamKind::bayer_bg8:
      recipe.kind = RecipeKind::bayer8;
      recipe.pattern = BayerPattern::bg;
      break;
    case StreamKind::uyvy:
      recipe.kind = RecipeKind::uyvy;
      break;
  }
  return recipe;
}

StreamPlan with_slots(StreamKind kind, Recipe recipe, std::size_t frame_bytes,
                      std::uint32_t slots) {
  StreamPlan plan{.kind = kind, .recipe = recipe};
  plan.slot_bytes = round_up_to_page(std::max<std::size_t>(frame_bytes, 1));
  plan.slots =
      slots != 0 ? std::max(slots, kLeastSlots) : slots_within(kFrameMemory, plan.slot_bytes, 4);
  if (const std::size_t result = result_bytes(recipe, frame_bytes); result != 0) {
    plan.result_slot_bytes = round_up_to_page(result);
    plan.result_slots =
        std::min(plan.slots, slots_within(kResultMemory, plan.result_slot_bytes, kLeastSlots));
  }
  return plan;
}

}  // namespace

StreamPlan plan(const StreamConfig& stream) {
  constexpr std::uint32_t kTurnsInFlight = 8;  // 0.8 s of a lidar at 10 Hz
  return with_slots(
      stream.format, recipe_for(stream.format, stream.width, stream.height, stream.checksum),
      largest_frame_bytes(stream.format), stream.slots != 0 ? stream.slots : kTurnsInFlight);
}

StreamPlan plan(const wire::OpenStream& request, bool checksum) {
  constexpr std::uint32_t kMostSlots = 1024;
  return with_slots(request.kind, recipe_for(request.kind, request.width, request.height, checksum),
                    request.max_frame_bytes, std::min(request.slots_wanted, kMostSlots));
}

StreamPlan least(StreamPlan plan) noexcept {
  plan.slots = std::min(plan.slots, kLeastSlots);
  plan.result_slots = std::min(plan.result_slots, kLeastSlots);
  return plan;
}

}  // namespace penstock
