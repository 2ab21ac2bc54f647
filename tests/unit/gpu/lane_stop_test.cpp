// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/gpu/lane_fixture.hpp"

#include <optional>
#include <thread>

namespace penstock {
namespace {

using test::Source;
using State = DeviceQueue::State;

constexpr int kLongMs = 60'000;  // never waited out: the test would fail by its time limit

struct LaneStopTest : test::LaneFixture {};

TEST_F(LaneStopTest, DecodesWhatIsReadyFirst) {
  Source& points = add_points(16);
  points.push_frames(10);

  lane->stop(kLongMs);

  EXPECT_EQ(points.delivered(), 10u);
}

TEST_F(LaneStopTest, DropsAsShutdownWhatNoResultSlotWasFoundFor) {
  Source& points = add_points(1);
  points.push_frames(3);

  lane->stop(1);  // `taken` holds the only result

  EXPECT_EQ(points.delivered(), 1u);
  EXPECT_EQ(points.dropped(FrameDrop::shutdown), 2u);
}

TEST_F(LaneStopTest, GivesUpADeviceThatHangsAndKeepsItsFramesUntilTheQueueIsGone) {
  Source& points = add_points();
  device.state = State::pending;
  std::optional<std::uint32_t> held;
  std::optional<std::uint32_t> results_held;
  device.when_destroyed = [&] {
    held = points.slots.outstanding();
    results_held = points.results->outstanding();
  };
  points.push_frames(2);
  lane->start();
  while (device.batches == 0) std::this_thread::yield();

  lane->stop(1);

  EXPECT_EQ(held, 2u) << "the device may still have read them";
  EXPECT_EQ(results_held, 2u) << "the device may still have written them";
  EXPECT_EQ(points.delivered(), 0u);
  EXPECT_EQ(points.dropped(FrameDrop::shutdown), 2u);
  EXPECT_EQ(points.slots.outstanding(), 0u);
}

TEST_F(LaneStopTest, EndsInTimeAlthoughFramesKeepComing) {
  Source* sums = nullptr;
  lane = std::make_unique<Lane>(
      std::make_unique<test::SteppedQueue>(device),
      [&](const DeliveredFrame&) { (void)sums->push(); });  // there is always one more
  sums = &add();
  sums->push_frames(1);
  lane->start();
  lane->waker().notify();
  while (device.batches < 100) std::this_thread::yield();

  lane->stop(1);

  EXPECT_EQ(sums->dropped(FrameDrop::shutdown), 1u);
}

TEST_F(LaneStopTest, LetsStreamsThatAreLeavingGo) {
  Source& points = add_points();
  points.push_frames(1);
  device.state = State::pending;
  lane->do_work();
  lane->remove(points.stream);

  lane->stop(0);

  EXPECT_TRUE(points.stream.left);
}

TEST_F(LaneStopTest, TwiceIsOnce) {
  Source& points = add_points();
  points.push_frames(1);

  lane->stop(kLongMs);
  lane->stop(kLongMs);

  EXPECT_EQ(points.delivered(), 1u);
}

}  // namespace
}  // namespace penstock
