// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/lane.hpp"
#include "tests/support/alloc_guard.hpp"
#include "tests/unit/gpu/lane_fixture.hpp"

#include <gmock/gmock.h>
#include <poll.h>

#include <thread>

namespace penstock::test {
namespace {

using State = DeviceQueue::State;
using testing::ElementsAre;
using testing::Pair;

struct LaneDeliveryTest : LaneFixture {};

bool rung(const Waker& waker) {
  pollfd entry{.fd = waker.fd(), .events = POLLIN, .revents = 0};
  return ::poll(&entry, 1, 0) == 1;
}

TEST_F(LaneDeliveryTest, DoesNothingWhenNothingIsReady) {
  add_points();

  EXPECT_EQ(lane->do_work(), 0u);
  EXPECT_TRUE(device.sizes.empty());
}

TEST_F(LaneDeliveryTest, NeverExceedsTheLargestBatchOfTheDevice) {
  Source& points = add_points();
  points.push_frames(6);

  while (lane->do_work() != 0) {
  }

  EXPECT_THAT(device.sizes, ElementsAre(4u, 2u));
}

TEST_F(LaneDeliveryTest, TakesStreamsInTurnSoThatABusyOneStarvesNobody) {
  Source& quiet = add_points();
  Source& busy = add_points();  // the lane begins with the second
  busy.push_frames(8);
  quiet.push_frames(2);

  lane->do_work();  // four frames

  EXPECT_EQ(busy.delivered(), 2u);
  EXPECT_EQ(quiet.delivered(), 2u);
}

TEST_F(LaneDeliveryTest, KeepsTheOrderOfAStream) {
  Source& points = add_points();
  points.push_frames(6);

  while (lane->do_work() != 0) {
  }

  EXPECT_THAT(device.seen,
              ElementsAre(Pair(1, 0), Pair(1, 1), Pair(1, 2), Pair(1, 3), Pair(1, 4), Pair(1, 5)));
  for (std::size_t i = 0; i < 6; ++i) EXPECT_EQ(taken[i].frame.info().sequence, i);
}

TEST_F(LaneDeliveryTest, GivesTheResultTheDescriptionOfItsFrame) {
  Source& points = add_points();
  FrameWriter writer = points.slots.acquire();
  points.account.receiving.frames_completed.add();
  ASSERT_TRUE(points.ready.try_push(std::move(writer).publish({.stream = 1,
                                                               .sequence = 41,
                                                               .sensor_time_ns = 7,
                                                               .received_ns = 8,
                                                               .completed_ns = 9,
                                                               .bytes = 2 * kPacket,
                                                               .bytes_expected = 3 * kPacket,
                                                               .whole = false})));

  lane->do_work();

  ASSERT_EQ(taken.size(), 1u);
  const FrameInfo& result = taken[0].result.info();
  EXPECT_EQ(result.stream, 1u);
  EXPECT_EQ(result.sequence, 41u);
  EXPECT_EQ(result.sensor_time_ns, 7);
  EXPECT_EQ(result.received_ns, 8);
  EXPECT_EQ(result.completed_ns, 9);
  EXPECT_EQ(result.bytes, 2 * kPacketResult);
  EXPECT_EQ(result.layout.kind, ContentLayout::Kind::points);
  EXPECT_EQ(result.layout.count, 2u * 384u);
  EXPECT_FALSE(result.whole) << "a result of a torn frame is torn";
  EXPECT_GE(taken[0].result_ns, 9);
}

TEST_F(LaneDeliveryTest, GivesNoResultWhereFramesAreOnlySummed) {
  Source& sums = add();
  sums.push_frames(2);

  lane->do_work();

  ASSERT_EQ(taken.size(), 2u);
  EXPECT_FALSE(taken[1].result);
  EXPECT_EQ(taken[1].checksum[0], 101u);
  EXPECT_EQ(taken[1].checksum[1], 201u);
}

TEST_F(LaneDeliveryTest, BooksTheDeliveryThatTheDeviceReallyUsed) {
  Source& points = add_points();
  points.push_frames(3);

  lane->do_work();

  const auto& books = points.account.decoding;
  EXPECT_EQ(books.deliveries[static_cast<std::size_t>(Delivery::copied)].get(), 3u);
  EXPECT_EQ(books.deliveries[static_cast<std::size_t>(Delivery::mapped)].get(), 0u);
  EXPECT_EQ(books.complete_to_result_ns.count(), 3u);
  EXPECT_EQ(taken[0].delivery, Delivery::copied);
}

TEST_F(LaneDeliveryTest, IsRungWhenASinkReturnsTheResultSlotThatAStreamWaitsFor) {
  Source& held = add_points(1);
  held.push_frames(2);
  lane->do_work();
  lane->waker().arm();
  ASSERT_EQ(lane->do_work(), 0u);
  ASSERT_FALSE(rung(lane->waker()));

  taken.clear();

  EXPECT_TRUE(rung(lane->waker()));
  lane->waker().disarm();
  lane->do_work();
  EXPECT_EQ(held.delivered(), 2u);
}

TEST_F(LaneDeliveryTest, DropsAFrameThatNoKernelCouldReadBeforeItReachesTheDevice) {
  Source& points = add_points();
  ASSERT_TRUE(points.push(kPacket - 1));
  ASSERT_TRUE(points.push());

  lane->do_work();

  EXPECT_THAT(device.seen, ElementsAre(Pair(1, 1)));
  EXPECT_EQ(points.dropped(FrameDrop::device_failed), 1u);
  EXPECT_EQ(points.delivered(), 1u);
}

TEST_F(LaneDeliveryTest, KeepsFramesAndResultsWhileTheDeviceHasThem) {
  Source& points = add_points();
  device.state = State::pending;
  points.push_frames(2);

  lane->do_work();

  EXPECT_EQ(points.slots.outstanding(), 2u);
  EXPECT_EQ(points.results->outstanding(), 2u);
}

TEST_F(LaneDeliveryTest, LetsARemovedStreamGoOnceItsLastFrameIsBackFromTheDevice) {
  Source& points = add_points();
  device.state = State::pending;
  points.push_frames(5);  // one more than a batch
  lane->do_work();

  lane->remove(points.stream);
  lane->do_work();
  EXPECT_FALSE(points.stream.left) << "four are in flight, one is ready";

  device.state = State::done;
  while (lane->do_work() != 0) {
  }
  EXPECT_TRUE(points.stream.left);
  EXPECT_EQ(points.delivered(), 5u);
}

TEST_F(LaneDeliveryTest, LetsARemovedStreamGoWhileOthersStay) {
  Source& first = add_points();
  Source& second = add_points();
  lane->do_work();

  lane->remove(first.stream);
  second.push_frames(1);
  lane->do_work();

  EXPECT_TRUE(first.stream.left);
  EXPECT_FALSE(second.stream.left);
  EXPECT_EQ(second.delivered(), 1u);
}

TEST_F(LaneDeliveryTest, AllocatesNothingPerFrame) {
  Source& points = add_points();
  Source& sums = add();
  points.push_frames(1);
  lane->do_work();  // takes over the list of streams
  const auto before = allocations_on_this_thread();

  for (int turn = 0; turn < 50; ++turn) {
    taken.clear();
    points.push_frames(3);
    sums.push_frames(3);
    if (turn % 10 == 9) {
      ASSERT_TRUE(points.push(1)) << "one that cannot be decoded";
    }
    while (lane->do_work() != 0) {
    }
  }

  EXPECT_EQ(allocations_on_this_thread(), before);
  EXPECT_EQ(points.delivered(), 151u);
}

TEST_F(LaneDeliveryTest, DecodesOnItsOwnThreadWhatIsPushedFromAnother) {
  constexpr std::uint64_t kFrames = 2000;
  make_lane(64, false);
  Source& points = add_points(4);
  lane->start();

  for (std::uint64_t sent = 0; sent < kFrames;) {
    if (!points.push()) {
      std::this_thread::yield();
      continue;
    }
    ++sent;
    lane->waker().notify();
  }
  while (points.delivered() != kFrames) std::this_thread::yield();
  lane->remove(points.stream);
  while (!points.stream.left) std::this_thread::yield();

  EXPECT_EQ(points.account.decoding.frames_dropped.sum(), 0u);
}

}  // namespace
}  // namespace penstock::test
