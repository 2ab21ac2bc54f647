// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#include "server/stream_plan.hpp"

#include <gtest/gtest.h>

namespace penstock {
namespace {

TEST(StreamPlan, GivesALidarSlotsForItsSlowestTurn) {
  const StreamPlan lidar =
      plan(StreamConfig{.name = "lidar_top", .format = StreamKind::velodyne_vlp16});

  // 5 Hz in dual return: 302 packets of 1206 bytes.
  EXPECT_GE(lidar.slot_bytes, 302u * 1206u);
  EXPECT_EQ(lidar.slot_bytes % 4096, 0u);
  EXPECT_GE(lidar.result_slot_bytes, 302u * 384u * 24u);
  EXPECT_GE(lidar.slots, 4u);
}

TEST(StreamPlan, FitsA4kCameraIntoAQuarterGibibyte) {
  const wire::OpenStream camera{.name = "front",
                                .kind = StreamKind::bayer_rg8,
                                .max_frame_bytes = 3840ull * 2160,
                                .width = 3840,
                                .height = 2160};

  EXPECT_LE(plan(camera, false).bytes(), 256ull << 20);
  EXPECT_EQ(plan(camera, false).recipe.kind, RecipeKind::bayer8);
}

TEST(StreamPlan, TakesTheSlotsThatAClientWishesAndNeverLessThanTwo) {
  wire::OpenStream stream{.name = "s", .max_frame_bytes = 10'000, .slots_wanted = 1};
  EXPECT_EQ(plan(stream, false).slots, 2u);

  stream.slots_wanted = 17;
  EXPECT_EQ(plan(stream, false).slots, 17u);
  EXPECT_EQ(plan(stream, false).slot_bytes, 12'288u);
  EXPECT_EQ(plan(stream, false).result_slots, 0u) << "a checksum needs no result slot";
}

TEST(StreamPlan, BoundsWhatAClientMayWish) {
  const wire::OpenStream greedy{.name = "s", .max_frame_bytes = 1, .slots_wanted = 4'000'000'000u};
  EXPECT_LE(plan(greedy, false).slots, 1024u);
}

TEST(StreamPlan, LeastKeepsTheSizeOfASlot) {
  const StreamPlan full = plan(StreamConfig{.format = StreamKind::velodyne_vlp16});
  EXPECT_EQ(least(full).slots, 2u);
  EXPECT_EQ(least(full).result_slots, 2u);
  EXPECT_EQ(least(full).slot_bytes, full.slot_bytes);
}

}  // namespace
}  // namespace penstock
