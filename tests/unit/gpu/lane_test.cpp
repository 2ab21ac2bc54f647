// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/lane.hpp"

#include "tests/support/alloc_guard.hpp"
#include "tests/support/plain_memory.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <vector>

namespace penstock {
namespace {

// A device whose answers the test gives.
class FakeQueue final : public DeviceQueue {
 public:
  struct Script {
    State state = State::done;
    bool accepts = true;
    std::vector<std::size_t> batches;
  };
  explicit FakeQueue(Script& script) : script_{script} {}

  std::size_t max_batch() const noexcept override { return 4; }
  bool submit(std::span<Work> batch) noexcept override {
    if (!script_.accepts) return false;
    script_.batches.push_back(batch.size());
    return true;
  }
  State poll() noexcept override { return script_.state; }
  std::string_view error() const noexcept override { return "scripted"; }

 private:
  Script& script_;
};

// One stream of `slots` slots whose frames are checksummed, or decoded into `result_slots`.
struct Stream {
  Stream(Lane& lane, std::uint32_t slot_count, std::uint32_t result_slots = 0)
      : slab{test::plain_memory((slot_count + result_slots) * 4096)},
        slots{*slab.take(slot_count * 4096), slot_count, 4096, waker},
        ready{slot_count} {
    if (result_slots != 0) {
      results = std::make_unique<SlotRing>(*slab.take(result_slots * 4096), result_slots, 4096,
                                           lane.waker());
      entry.recipe = {.kind = RecipeKind::bayer8, .width = 4, .height = 4};
    }
    entry.ready = &ready;
    entry.results = results.get();
    entry.account = &account;
    lane.add(entry);
  }

  void push(std::size_t bytes = 16) {
    FrameWriter writer = slots.acquire();
    ASSERT_TRUE(writer);
    account.receiving.frames_completed.add();
    ASSERT_TRUE(
        ready.try_push(std::move(writer).publish({.sequence = sequence++, .bytes = bytes})));
  }
  std::uint64_t delivered() const { return account.decoding.frames_delivered.get(); }
  std::uint64_t dropped(FrameDrop cause) const {
    return account.decoding.frames_dropped.get(cause);
  }

  StreamAccount account;
  Waker waker;
  Slab slab;
  SlotRing slots;
  std::unique_ptr<SlotRing> results;
  FrameRing ready;
  LaneStream entry;
  std::uint64_t sequence = 0;
};

class LaneTest : public testing::Test {
 protected:
  FakeQueue::Script script;
  std::vector<DeliveredFrame> held;  // above the lane: leases end before their rings do
  bool hold = false;
  std::vector<std::uint64_t> order;
  Lane lane{std::make_unique<FakeQueue>(script), [this](const DeliveredFrame& delivered) {
              order.push_back(delivered.frame.info().sequence);
              if (hold) held.push_back(delivered.share());
            }};
};

TEST_F(LaneTest, SubmitsOneFrameAtOnceWhenItIsIdle) {
  Stream stream{lane, 4};
  stream.push();

  lane.do_work();

  EXPECT_EQ(script.batches, std::vector<std::size_t>{1});
  EXPECT_EQ(stream.delivered(), 1u);
  EXPECT_EQ(stream.slots.outstanding(), 0u);
  lane.stop(0);
}

TEST_F(LaneTest, MakesABatchOfWhatBecameReadyMeanwhile) {
  Stream stream{lane, 8};
  script.state = DeviceQueue::State::pending;
  stream.push();
  lane.do_work();
  for (int i = 0; i < 3; ++i) stream.push();
  lane.do_work();
  ASSERT_EQ(script.batches, std::vector<std::size_t>{1});

  script.state = DeviceQueue::State::done;
  lane.do_work();

  EXPECT_EQ(script.batches, (std::vector<std::size_t>{1, 3}));
  EXPECT_EQ(stream.delivered(), 4u);
  EXPECT_EQ(order, (std::vector<std::uint64_t>{0, 1, 2, 3}));
  lane.stop(0);
}

TEST_F(LaneTest, LetsAStreamWaitForItsResultSlotsWhileOthersGoOn) {
  Stream images{lane, 4, 1};
  Stream sums{lane, 4};
  hold = true;
  images.push();
  images.push();
  lane.do_work();
  EXPECT_EQ(images.delivered(), 1u) << "one result slot, held by a sink";
  sums.push();
  lane.do_work();
  EXPECT_EQ(sums.delivered(), 1u);

  held.clear();
  lane.do_work();

  EXPECT_EQ(images.delivered(), 2u);
  held.clear();
  lane.stop(0);
}

TEST_F(LaneTest, DropsWhatTheDeviceRefusesAndReturnsItsSlots) {
  Stream stream{lane, 4, 2};
  script.accepts = false;
  stream.push();

  lane.do_work();

  EXPECT_EQ(stream.dropped(FrameDrop::device_failed), 1u);
  EXPECT_EQ(stream.slots.outstanding() + stream.results->outstanding(), 0u);
  EXPECT_TRUE(stream.account.balanced());
  lane.stop(0);
}

TEST_F(LaneTest, DropsABatchThatFailsAndGoesOn) {
  Stream stream{lane, 4};
  script.state = DeviceQueue::State::failed;
  stream.push();
  lane.do_work();
  script.state = DeviceQueue::State::done;
  stream.push();
  lane.do_work();

  EXPECT_EQ(stream.dropped(FrameDrop::device_failed), 1u);
  EXPECT_EQ(stream.delivered(), 1u);
  EXPECT_TRUE(stream.account.balanced());
  lane.stop(0);
}

TEST_F(LaneTest, NeverGivesAKernelAFrameThatItWouldReadBeyond) {
  Stream stream{lane, 4, 2};
  stream.push(15);  // an image of 4 × 4 has 16 bytes

  lane.do_work();

  EXPECT_TRUE(script.batches.empty());
  EXPECT_EQ(stream.dropped(FrameDrop::device_failed), 1u);
  lane.stop(0);
}

TEST_F(LaneTest, DecodesWhatIsReadyBeforeItStops) {
  Stream stream{lane, 8};
  lane.start();
  for (int i = 0; i < 8; ++i) stream.push();

  lane.stop(60'000);

  EXPECT_EQ(stream.delivered(), 8u);
  EXPECT_TRUE(stream.account.balanced());
}

TEST_F(LaneTest, DropsWhatAHangingDeviceHoldsWhenTimeIsOver) {
  Stream stream{lane, 8};
  script.state = DeviceQueue::State::pending;
  stream.push();
  lane.do_work();
  stream.push();

  lane.stop(0);

  EXPECT_EQ(stream.dropped(FrameDrop::shutdown), 2u);
  EXPECT_EQ(stream.slots.outstanding(), 0u);
  EXPECT_TRUE(stream.account.balanced());
}

TEST_F(LaneTest, LetsAStreamGoOnlyAfterItsLastFrame) {
  Stream stream{lane, 4};
  script.state = DeviceQueue::State::pending;
  stream.push();
  lane.do_work();
  lane.remove(stream.entry);
  lane.do_work();
  EXPECT_FALSE(stream.entry.left);

  script.state = DeviceQueue::State::done;
  lane.do_work();
  lane.do_work();

  EXPECT_TRUE(stream.entry.left);
  EXPECT_EQ(stream.delivered(), 1u);
  lane.stop(0);
}

TEST_F(LaneTest, AllocatesNothingWhileFramesFlow) {
  Stream stream{lane, 4, 2};
  order.reserve(200);
  script.batches.reserve(200);
  stream.push();
  lane.do_work();
  const auto before = test::allocations_on_this_thread();

  for (int i = 0; i < 100; ++i) {
    stream.push();
    lane.do_work();
  }

  EXPECT_EQ(test::allocations_on_this_thread(), before);
  EXPECT_EQ(stream.delivered(), 101u);
  lane.stop(0);
}

}  // namespace
}  // namespace penstock
