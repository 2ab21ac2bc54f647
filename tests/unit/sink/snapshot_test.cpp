// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#include "sink/snapshot.hpp"

#include "base/error.hpp"
#include "tests/support/alloc_guard.hpp"
#include "tests/unit/sink/frames.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <png.h>

#include <thread>

namespace penstock {
namespace {

using test::Record;
using testing::Contains;
using testing::IsEmpty;

constexpr StreamId kCamera = 3;

// The red of a picture of one pixel; -1 when there is none.
int red_of(const std::string& path) {
  png_image png{};
  png.version = PNG_IMAGE_VERSION;
  if (png_image_begin_read_from_file(&png, path.c_str()) == 0) return -1;
  png.format = PNG_FORMAT_RGB;
  std::uint8_t pixel[3] = {};
  return png_image_finish_read(&png, nullptr, pixel, 0, nullptr) == 0 ? -1 : pixel[0];
}

struct SnapshotTest : testing::Test {
  test::TemporaryFolder folder;
  Slab slab{test::plain_memory(64 * kPageBytes)};
  test::StreamSlots slots{slab, 4, 4};
  Snapshot snapshot{folder.path()};

  void take(std::uint64_t sequence, int red, bool whole = true) {
    const std::vector<float> planes{static_cast<float>(red) / 255, 0, 0};
    test::Content content = test::image(planes);
    content.whole = whole;
    snapshot.take(test::deliver(slots, kCamera, sequence, content));
  }
  void await_slots() const {
    while (slots.outstanding() != 0) std::this_thread::yield();
  }
};

TEST_F(SnapshotTest, ShowsTheLastFrameOfASenderThatCanWait) {
  snapshot.began(kCamera, "camera", true);

  for (int i = 1; i <= 100; ++i) take(static_cast<std::uint64_t>(i), i);
  snapshot.finish();

  EXPECT_EQ(red_of(folder / "camera.png"), 100);
  EXPECT_EQ(slots.outstanding(), 0u);
}

TEST_F(SnapshotTest, HoldsOneSlotOfALiveStreamForTheTimeOfACopy) {
  snapshot.began(kCamera, "camera", false);

  for (int i = 1; i <= 100; ++i) {
    take(static_cast<std::uint64_t>(i), i);
    EXPECT_LE(slots.outstanding(), 1u);
  }

  await_slots();  // without any further frame, and before finish()
  snapshot.finish();
  EXPECT_GE(red_of(folder / "camera.png"), 1);
}

TEST_F(SnapshotTest, ComesBackForMoreOfALiveStream) {
  snapshot.began(kCamera, "camera", false);
  take(0, 1);
  await_slots();

  // Until it holds one again.
  std::uint64_t sequence = 1;
  for (std::uint32_t held = 0; held == 0; held = slots.outstanding()) take(sequence++, 2);
  snapshot.finish();

  EXPECT_EQ(red_of(folder / "camera.png"), 2);
}

TEST_F(SnapshotTest, LetsTheSlotGoThoughNoFurtherFrameComes) {
  snapshot.began(kCamera, "camera", true);

  take(0, 1);

  await_slots();
}

TEST_F(SnapshotTest, PrefersAWholeFrameToALaterPartialOne) {
  snapshot.began(kCamera, "camera", true);

  take(0, 10, false);
  take(1, 20);
  take(2, 30, false);
  snapshot.finish();

  EXPECT_EQ(red_of(folder / "camera.png"), 20);
}

TEST_F(SnapshotTest, ShowsAPartialFrameWhereThereIsNoOther) {
  snapshot.began(kCamera, "camera", true);

  take(0, 10, false);
  snapshot.finish();

  EXPECT_EQ(red_of(folder / "camera.png"), 10);
}

TEST_F(SnapshotTest, WritesThePictureOfAStreamThatEnds) {
  snapshot.began(kCamera, "camera", true);
  take(0, 10);
  await_slots();

  snapshot.ended(kCamera);

  while (red_of(folder / "camera.png") != 10) std::this_thread::yield();
}

TEST_F(SnapshotTest, DrawsPointsFromAbove) {
  snapshot.began(kCamera, "lidar", true);

  snapshot.take(test::deliver(slots, kCamera, 0, test::points({Record{.x = 1}})));
  snapshot.finish();

  EXPECT_THAT(test::files_in(folder.path()), Contains("lidar.birdseye.png"));
  EXPECT_THAT(snapshot.failures(), IsEmpty());
}

TEST_F(SnapshotTest, TakesWithoutAllocating) {
  snapshot.began(kCamera, "camera", true);
  const std::vector<float> planes(3);
  const DeliveredFrame delivered = test::deliver(slots, kCamera, 0, test::image(planes));

  const std::uint64_t before = test::allocations_on_this_thread();
  snapshot.take(delivered);
  const std::uint64_t after = test::allocations_on_this_thread();

  EXPECT_EQ(after, before);
}

TEST_F(SnapshotTest, ReportsAPictureThatCannotBeWritten) {
  snapshot.began(kCamera, "camera", true);
  take(0, 10);
  std::filesystem::remove_all(folder.path());

  snapshot.finish();

  EXPECT_EQ(snapshot.failures().size(), 1u);
}

}  // namespace
}  // namespace penstock
