// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#include "net/frame_builder.hpp"
#include "tests/support/captures.hpp"
#include "tests/support/frame_builder_fixture.hpp"

#include <gtest/gtest.h>

#include <string>

namespace penstock {
namespace {

using test::FrameBuilderTest;
using test::Vlp16Packets;

TEST_F(FrameBuilderTest, DoesNotPassOffATurnAsWholeWhoseBeginningNeverCame) {
  feed(30, 70);  // before the first cut
  feed(85, 160);

  auto frame = stream.take();
  ASSERT_TRUE(frame);
  EXPECT_FALSE(frame->info().whole);
  frame.reset();
  stream.account.decoding.frames_delivered.add();
  expect_balanced();
}

TEST_F(FrameBuilderTest, KeepsATurnWholeBeforeWhoseCutPacketsAreMissing) {
  feed(0, 74);
  feed(75, 160);  // packet 75 holds the cut, and with it all of the second turn's beginning

  const auto first = stream.take();
  const auto second = stream.take();
  ASSERT_TRUE(first && second);
  EXPECT_FALSE(first->info().whole);
  EXPECT_TRUE(second->info().whole);
  EXPECT_EQ(stream.books().frames_partial.get(), 1u);
}

TEST_F(FrameBuilderTest, MarksBothTurnsAroundACutThatNeverCame) {
  feed(0, 74);
  feed(78, 160);

  const auto first = stream.take();
  const auto second = stream.take();
  ASSERT_TRUE(first && second);
  EXPECT_FALSE(first->info().whole);
  EXPECT_FALSE(second->info().whole);
}

TEST_F(FrameBuilderTest, PlacesAnOvertakenPacketInTheOpenFrame) {
  feed(0, 40);
  feed(41, 42);
  feed(40, 41);
  feed(42, 80);

  auto frame = stream.take();
  ASSERT_TRUE(frame);
  EXPECT_EQ(frame->info().bytes, 76u * 1206) << "no new frame began";
  frame.reset();
  stream.account.decoding.frames_delivered.add();
  expect_balanced();
  EXPECT_EQ(stream.books().packets_lost.get(), 0u);
  EXPECT_EQ(stream.books().packets_placed.get(), 80u);
}

TEST_F(FrameBuilderTest, DropsAPacketWhoseFrameIsClosed) {
  feed(0, 70);
  feed(71, 80);
  feed(70, 71);

  EXPECT_EQ(stream.books().packets_dropped.get(PacketDrop::late), 1u);
  expect_balanced();
  EXPECT_EQ(stream.books().packets_lost.get(), 0u);
  EXPECT_EQ(stream.books().frames_completed.get(), 2u);
}

TEST_F(FrameBuilderTest, GoesOnAcrossTheHour) {
  packets = Vlp16Packets{0, 3'599'950'000};
  feed(0, 160);

  EXPECT_EQ(stream.books().packets_lost.get(), 0u);
  EXPECT_EQ(stream.books().frames_partial.get(), 0u);
  EXPECT_EQ(stream.books().frames_completed.get(), 2u);
  expect_balanced();
}

TEST_F(FrameBuilderTest, MakesTheFramesOfARealSensorWithTwoReturns) {
  PENSTOCK_NEEDS_CAPTURE("velodyne/vlp16.pcap");
  for (const auto& packet : test::payloads(test::capture("velodyne/vlp16.pcap"), 1206)) {
    feed(packet);
    stream.deliver_all();
  }
  expect_balanced();

  EXPECT_EQ(stream.books().packets_received.get(), 603u);
  EXPECT_EQ(stream.books().packets_placed.get(), 603u);
  EXPECT_EQ(stream.books().bytes_received.get(), 727'218u);
  EXPECT_EQ(stream.books().packets_lost.get(), 0u);
  EXPECT_EQ(stream.books().frames_completed.get(), 5u);
  EXPECT_EQ(stream.books().frames_partial.get(), 1u) << "the capture ends in a turn";
  EXPECT_EQ(stream.books().bytes_copied_by_cpu.get(), 0u);
}

TEST_F(FrameBuilderTest, CountsThePositionPacketsOfARealSensorAside) {
  PENSTOCK_NEEDS_CAPTURE("velodyne/mrpt_vlp16_gps.pcap");
  const std::string path = test::capture("velodyne/mrpt_vlp16_gps.pcap");
  for (const auto& packet : test::payloads(path, 512)) builder.commit_side(packet);
  for (const auto& packet : test::payloads(path, 1206)) {
    feed(packet);
    stream.deliver_all();
  }
  expect_balanced();

  EXPECT_EQ(stream.books().packets_side.get(), 57u);
  EXPECT_EQ(stream.books().packets_received.get(), 293u + 57u);
  EXPECT_EQ(stream.books().packets_dropped.get(PacketDrop::before_first_scan), 50u);
  EXPECT_EQ(stream.books().packets_lost.get(), 0u);
  EXPECT_EQ(stream.books().frames_completed.get(), 4u);
}

}  // namespace
}  // namespace penstock
