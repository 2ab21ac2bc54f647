// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clock.hpp"
#include "gpu/lane.hpp"
#include "tests/support/plain_memory.hpp"
#include "tests/unit/gpu/stepped_queue.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <utility>
#include <vector>

namespace penstock::test {

inline constexpr std::uint64_t kPacket = 1206;            // one VLP-16 packet
inline constexpr std::uint64_t kPacketResult = 384 * 24;  // its points

// A stream as the lane sees it, with the test in the place of the reactor.
struct Source {
  Source(Slab& slab, Waker& reactor, Lane& lane, StreamId id, Recipe recipe,
         std::uint32_t result_slots)
      : slots{*slab.take(16 * kPageBytes), 16, kPageBytes, reactor} {
    if (const std::size_t bytes = result_bytes(recipe, kPageBytes)) {
      const std::size_t slot = round_up_to_page(bytes);
      results = std::make_unique<SlotRing>(*slab.take(result_slots * slot), result_slots, slot,
                                           lane.waker());
    }
    stream.id = id;
    stream.recipe = recipe;
    stream.ready = &ready;
    stream.results = results.get();
    stream.account = &account;
  }

  // A frame from the wire; false when the consumers hold every slot.
  bool push(std::uint64_t bytes = kPacket) {
    FrameWriter writer = slots.acquire();
    if (!writer) return false;
    account.receiving.frames_completed.add();
    return ready.try_push(std::move(writer).publish({.stream = stream.id,
                                                     .sequence = sequence++,
                                                     .completed_ns = monotonic_ns(),
                                                     .bytes = bytes}));
  }
  void push_frames(int count) {
    for (int i = 0; i < count; ++i) ASSERT_TRUE(push());
  }
  [[nodiscard]] std::uint64_t delivered() const { return account.decoding.frames_delivered.get(); }
  [[nodiscard]] std::uint64_t dropped(FrameDrop cause) const {
    return account.decoding.frames_dropped.get(cause);
  }

  SlotRing slots;
  std::unique_ptr<SlotRing> results;
  FrameRing ready{16};
  StreamAccount account;
  LaneStream stream;
  std::uint64_t sequence = 0;
};

// A lane on a device stepped by hand. Whatever a test does, in the end the books of its streams
// balance and every slot is back.
struct LaneFixture : testing::Test {
  Slab slab{plain_memory(512 * kPageBytes)};
  Waker reactor;
  QueueSteps device;
  std::vector<DeliveredFrame> taken;  // leases that a sink holds
  std::unique_ptr<Lane> lane;
  std::vector<std::unique_ptr<Source>> sources;

  void SetUp() override {
    taken.reserve(1024);
    make_lane(4);
  }

  // `sink_holds`: whether what is delivered goes to `taken`, or is let go at once.
  void make_lane(std::size_t max_batch, bool sink_holds = true) {
    device.max_batch = max_batch;
    lane = std::make_unique<Lane>(std::make_unique<SteppedQueue>(device),
                                  [this, sink_holds](const DeliveredFrame& delivered) {
                                    if (sink_holds) taken.push_back(delivered.share());
                                  });
  }

  // A stream of points, or one that is only summed.
  Source& add(Recipe recipe = {}, std::uint32_t result_slots = 8) {
    const auto id = static_cast<StreamId>(sources.size() + 1);
    sources.push_back(std::make_unique<Source>(slab, reactor, *lane, id, recipe, result_slots));
    lane->add(sources.back()->stream);
    return *sources.back();
  }
  Source& add_points(std::uint32_t result_slots = 8) {
    return add({.kind = RecipeKind::velodyne_vlp16}, result_slots);
  }

  void TearDown() override {
    lane->stop(0);
    taken.clear();
    for (const auto& source : sources) {
      EXPECT_TRUE(source->account.balanced()) << "stream " << source->stream.id;
      EXPECT_EQ(source->slots.outstanding(), 0u) << "stream " << source->stream.id;
      if (source->results) {
        EXPECT_EQ(source->results->outstanding(), 0u) << "stream " << source->stream.id;
      }
    }
  }
};

}  // namespace penstock::test
