// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#include "net/frame_builder.hpp"

#include "tests/support/alloc_guard.hpp"
#include "tests/support/frame_builder_fixture.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <vector>

namespace penstock {
namespace {

using test::Vlp16Packet;

using test::FrameBuilderTest;

TEST_F(FrameBuilderTest, MakesAFrameOfATurn) {
  feed(0, 80);

  const auto frame = stream.take();
  ASSERT_TRUE(frame);
  EXPECT_EQ(frame->info().bytes, 76u * 1206);
  EXPECT_TRUE(frame->info().whole);
  EXPECT_EQ(frame->info().sequence, 0u);
  stream.account.decoding.frames_delivered.add();
}

TEST_F(FrameBuilderTest, PutsThePacketOfTheSeamIntoBothFramesWithoutCopying) {
  feed(0, 160);

  const auto first = stream.take();
  const auto second = stream.take();
  const Vlp16Packet seam = packets.at(75);
  ASSERT_TRUE(first && second);
  EXPECT_EQ(std::memcmp(first->bytes().last(1206).data(), seam.data(), 1206), 0);
  EXPECT_EQ(std::memcmp(second->bytes().data(), seam.data(), 1206), 0);
  EXPECT_EQ(first->info().skip_blocks_tail + second->info().skip_blocks_head, 12);
  EXPECT_GT(second->info().skip_blocks_head, 0);
  EXPECT_EQ(stream.books().bytes_copied_by_cpu.get(), 0u);
  EXPECT_EQ(stream.books().packets_placed.get(), 160u) << "each packet counts once";
}

TEST_F(FrameBuilderTest, CountsTheCopyOfASourceThatCannotRepeat) {
  for (std::uint64_t n = 0; n < 80; ++n) feed(packets.at(n), false);

  const auto first = stream.take();
  ASSERT_TRUE(first);
  EXPECT_EQ(stream.books().bytes_copied_by_cpu.get(), 1206u);
  builder.flush();
  const auto second = stream.take();
  ASSERT_TRUE(second);
  EXPECT_EQ(std::memcmp(second->bytes().data(), packets.at(75).data(), 1206), 0);
}

TEST_F(FrameBuilderTest, LeavesOutATurnWhoseBeginningItDidNotSee) {
  feed(30, 80);

  EXPECT_EQ(stream.books().packets_dropped.get(PacketDrop::before_first_scan), 45u);
  expect_balanced();
  EXPECT_EQ(stream.books().frames_completed.get(), 1u);
}

TEST_F(FrameBuilderTest, MarksAFrameFromWhichPacketsAreMissing) {
  feed(0, 20);
  feed(22, 80);

  auto frame = stream.take();
  ASSERT_TRUE(frame);
  EXPECT_FALSE(frame->info().whole);
  frame.reset();
  stream.account.decoding.frames_delivered.add();
  expect_balanced();
  EXPECT_EQ(stream.books().packets_lost.get(), 2u);
}

TEST_F(FrameBuilderTest, DropsPartialFramesOfAStreamThatWantsWholeOnes) {
  stream.port.deliver_partial = false;
  feed(0, 20);
  feed(22, 80);

  EXPECT_FALSE(stream.take());
  EXPECT_EQ(stream.books().frames_dropped.get(FrameDrop::partial_policy), 1u);
  expect_balanced();
}

TEST_F(FrameBuilderTest, PublishesWhatItHasWhenTheSensorFallsSilent) {
  feed(0, 10);
  builder.flush();

  const auto frame = stream.take();
  ASSERT_TRUE(frame);
  EXPECT_EQ(frame->info().bytes, 10u * 1206);
  EXPECT_FALSE(frame->info().whole);
}

TEST_F(FrameBuilderTest, CountsPacketsOfTheWrongLength) {
  (void)builder.place();
  (void)builder.commit(1212, 0);
  (void)builder.commit(0, 0);
  builder.reject(PacketReject::truncated, 100);
  builder.commit_side(std::vector<std::byte>(512));
  builder.commit_side(std::vector<std::byte>(511));

  EXPECT_EQ(stream.books().packets_rejected.get(PacketReject::unexpected_length), 3u);
  EXPECT_EQ(stream.books().packets_rejected.get(PacketReject::truncated), 1u);
  EXPECT_EQ(stream.books().packets_side.get(), 1u);
  expect_balanced();
}

class FewSlots : public FrameBuilderTest {
 protected:
  FewSlots() : FrameBuilderTest{2} {}
};

TEST_F(FewSlots, CountsFramesAndPacketsThatFoundNoSlot) {
  feed(0, 400);  // five turns, nobody takes them

  EXPECT_EQ(stream.books().frames_dropped.get(FrameDrop::no_slot), 3u);
  EXPECT_GT(stream.books().packets_dropped.get(PacketDrop::no_slot), 200u);
  expect_balanced();
}

TEST_F(FewSlots, GoesOnWithTheNextFrameWhenASlotComesBack) {
  feed(0, 160);
  stream.deliver_all();
  feed(160, 320);

  EXPECT_TRUE(stream.take());
}

TEST_F(FewSlots, TellsASourceThatCanWaitToWait) {
  feed(0, 149);  // the next packet holds the seam of the second turn
  EXPECT_FALSE(builder.ready());

  stream.deliver_all();

  EXPECT_TRUE(builder.ready());
}

TEST_F(FrameBuilderTest, ClosesATurnThatHasNoEnd) {
  // The motor stands still: the azimuth does not move, the clock does.
  feed(0, 80);
  for (std::uint64_t n = 80; n < 480; ++n) {
    Vlp16Packet packet = packets.at(n);
    for (std::size_t block = 0; block < 12; ++block) test::put(packet, 100 * block + 2, 5, 2);
    feed(packet);
  }
  expect_balanced();
  EXPECT_EQ(stream.books().frames_partial.get(), 2u);
}

TEST_F(FrameBuilderTest, AllocatesNothingWhilePacketsFlow) {
  feed(0, 200);
  stream.deliver_all();
  const auto before = test::allocations_on_this_thread();

  for (std::uint64_t n = 200; n < 1000; ++n) {
    feed(packets.at(n));
    stream.deliver_all();
  }

  EXPECT_EQ(test::allocations_on_this_thread(), before);
  EXPECT_GT(stream.account.decoding.frames_delivered.get(), 10u);
}

}  // namespace
}  // namespace penstock
