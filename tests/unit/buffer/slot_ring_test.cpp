// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#include "buffer/slot_ring.hpp"

#include "base/error.hpp"
#include "base/log.hpp"
#include "base/spsc_ring.hpp"
#include "tests/support/alloc_guard.hpp"
#include "tests/support/plain_memory.hpp"

#include <gtest/gtest.h>
#include <poll.h>

#include <atomic>
#include <cstring>
#include <thread>
#include <vector>

namespace penstock {
namespace {

struct SlotRingTest : testing::Test {
  Waker waker;
  Slab slab{test::plain_memory(64 * kPageBytes)};

  SlotRing ring(std::uint32_t slots) {
    return SlotRing{*slab.take(slots * kPageBytes), slots, kPageBytes, waker};
  }
  [[nodiscard]] bool rung() const {
    pollfd entry{.fd = waker.fd(), .events = POLLIN, .revents = 0};
    return ::poll(&entry, 1, 0) == 1;
  }
};

TEST_F(SlotRingTest, HandsOutNeighboursInOrder) {
  SlotRing slots = ring(3);
  const FrameWriter a = slots.acquire();
  const FrameWriter b = slots.acquire();
  const FrameWriter c = slots.acquire();

  EXPECT_EQ(b.bytes().data(), a.bytes().data() + kPageBytes);
  EXPECT_EQ(c.bytes().data(), b.bytes().data() + kPageBytes);
  EXPECT_FALSE(slots.acquire());
}

TEST_F(SlotRingTest, UsesSlotsAgainInTheOrderInWhichTheyCameBack) {
  SlotRing slots = ring(3);
  std::vector<FrameWriter> held;
  for (int i = 0; i < 3; ++i) held.push_back(slots.acquire());
  const std::byte* const second = held[1].bytes().data();
  const std::byte* const first = held[0].bytes().data();

  held[1] = {};
  held[0] = {};

  EXPECT_EQ(slots.acquire().bytes().data(), second);
  EXPECT_EQ(slots.acquire().bytes().data(), first);
}

TEST_F(SlotRingTest, TakesASlotBackOnlyWhenTheLastLeaseEnds) {
  SlotRing slots = ring(1);
  FrameRef to_gpu = slots.acquire().publish({.bytes = 3});
  FrameRef to_recorder = to_gpu.share();

  to_gpu = {};
  EXPECT_FALSE(slots.acquire()) << "the recorder still reads this slot";

  to_recorder = {};
  EXPECT_TRUE(slots.acquire());
}

TEST_F(SlotRingTest, ADroppedWriterReturnsItsSlot) {
  SlotRing slots = ring(1);
  { const FrameWriter writer = slots.acquire(); }
  EXPECT_EQ(slots.outstanding(), 0u);
  EXPECT_TRUE(slots.acquire());
}

TEST_F(SlotRingTest, RingsItsOwnerOnceAndOnlyWhenAsked) {
  SlotRing slots = ring(2);
  waker.arm();
  { const FrameWriter writer = slots.acquire(); }
  EXPECT_FALSE(rung());

  FrameWriter writer = slots.acquire();
  slots.wake_when_returned();
  writer = {};
  EXPECT_TRUE(rung());
}

TEST_F(SlotRingTest, AllocatesNothingOnceBuilt) {
  SlotRing slots = ring(8);
  const auto before = test::allocations_on_this_thread();

  for (int i = 0; i < 100; ++i) {
    const FrameRef frame = slots.acquire().publish({});
    const FrameRef second = frame.share();
  }

  EXPECT_EQ(test::allocations_on_this_thread(), before);
}

TEST_F(SlotRingTest, LosesNoSlotWhenLeasesEndOnOtherThreads) {
  SlotRing slots = ring(4);
  SpscRing<FrameRef> queue{4};
  std::atomic<bool> end{false};
  std::thread reader{[&] {
    while (!end.load()) {
      if (const auto frame = queue.try_pop()) {
        // The writer put its turn into every byte: a slot reused too early would show.
        const std::byte first = frame->bytes().front();
        for (const std::byte byte : frame->bytes()) ASSERT_EQ(byte, first);
      }
    }
  }};
  for (int turn = 0; turn < 20'000;) {
    FrameWriter writer = slots.acquire();
    if (!writer) continue;
    std::memset(writer.bytes().data(), turn & 0xff, 256);
    ASSERT_TRUE(queue.try_push(std::move(writer).publish({.bytes = 256})));
    ++turn;
  }
  while (slots.outstanding() != 0) std::this_thread::yield();
  end = true;
  reader.join();
}

TEST_F(SlotRingTest, RefusesSlotsThatAreNotWholePagesOrDoNotFit) {
  EXPECT_THROW((SlotRing{*slab.take(kPageBytes), 1, 100, waker}), Error);
  EXPECT_THROW((SlotRing{*slab.take(kPageBytes), 2, kPageBytes, waker}), Error);
  EXPECT_THROW((SlotRing{*slab.take(kPageBytes), 0, kPageBytes, waker}), Error);
}

TEST(SlotRingDeathTest, DestroyedInUseStopsTheProcess) {
  const auto destroy_in_use = [] {
    set_up_logging("info");
    Waker waker;
    Slab slab{test::plain_memory(kPageBytes)};
    FrameWriter writer;
    SlotRing slots{*slab.take(1), 1, kPageBytes, waker};
    writer = slots.acquire();
  };
  EXPECT_DEATH(destroy_in_use(), "slot ring destroyed in use");
}

}  // namespace
}  // namespace penstock
