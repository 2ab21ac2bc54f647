// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#include "net/replay/replay_source.hpp"

#include "net/formats/registry.hpp"
#include "tests/support/captures.hpp"
#include "tests/support/port_fixture.hpp"

#include <gtest/gtest.h>

#include <chrono>

namespace penstock {
namespace {

class ReplaySourceTest : public testing::Test {
 protected:
  ReplaySource play(const std::string& capture, std::uint16_t port = 2368) {
    return {reactor,
            test::capture(capture),
            Pace{.factor = 0},
            {{.data_port = port,
              .position_port = 8308,
              .name = "lidar",
              .kind = StreamKind::velodyne_vlp16,
              .port = &stream.port}}};
  }
  // Takes a frame only now and then, so that the source has to wait for its two slots.
  void run(ReplaySource& source) {
    source.start();
    for (int i = 0; i < 100'000 && !source.finished(); ++i) {
      reactor.context().run_one_for(std::chrono::milliseconds{1});
      if (i % 7 == 0 && stream.take()) stream.account.decoding.frames_delivered.add();
    }
    stream.deliver_all();
  }

  Reactor reactor{"test"};
  test::PortFixture stream{2, largest_frame_bytes(StreamKind::velodyne_vlp16), &reactor.waker()};
};

TEST_F(ReplaySourceTest, LosesNothingHoweverSlowItsConsumer) {
  PENSTOCK_NEEDS_CAPTURE("velodyne/vlp16.pcap");
  ReplaySource source = play("velodyne/vlp16.pcap");
  run(source);

  EXPECT_TRUE(source.finished());
  EXPECT_FALSE(source.failure()) << *source.failure();
  EXPECT_EQ(stream.books().packets_received.get(), 603u);
  EXPECT_EQ(stream.books().packets_lost.get(), 0u);
  EXPECT_EQ(stream.books().bytes_received.get(), 727'218u);
  EXPECT_EQ(stream.books().bytes_copied_by_cpu.get(), 0u);
  EXPECT_EQ(stream.account.decoding.frames_delivered.get(), 5u);
  EXPECT_EQ(stream.books().frames_partial.get(), 1u);
  EXPECT_TRUE(stream.account.balanced());
  EXPECT_EQ(stream.slots.outstanding(), 0u);
}

TEST_F(ReplaySourceTest, RecognisesPositionPackets) {
  PENSTOCK_NEEDS_CAPTURE("velodyne/mrpt_vlp16_gps.pcap");
  ReplaySource source = play("velodyne/mrpt_vlp16_gps.pcap");
  run(source);

  EXPECT_EQ(stream.account.decoding.frames_delivered.get(), 4u);
  EXPECT_EQ(stream.books().packets_side.get(), 57u);
  EXPECT_EQ(stream.books().packets_lost.get(), 0u);
  EXPECT_TRUE(stream.account.balanced());
}

TEST_F(ReplaySourceTest, SaysWhichPortsAFileHasWhenNothingCame) {
  PENSTOCK_NEEDS_CAPTURE("velodyne/vlp16.pcap");
  ReplaySource source = play("velodyne/vlp16.pcap", 2400);
  run(source);

  ASSERT_TRUE(source.failure());
  EXPECT_NE(source.failure()->find("port 2400"), std::string::npos);
  EXPECT_NE(source.failure()->find("port 2368 (603)"), std::string::npos);
}

TEST_F(ReplaySourceTest, HoldsNoSlotAfterAStopInTheMiddle) {
  PENSTOCK_NEEDS_CAPTURE("velodyne/vlp16.pcap");
  ReplaySource source = play("velodyne/vlp16.pcap");
  source.start();
  for (int i = 0; i < 20; ++i) reactor.context().poll();

  source.stop();

  stream.deliver_all();
  EXPECT_EQ(stream.slots.outstanding(), 0u);
  EXPECT_TRUE(stream.account.balanced());
}

}  // namespace
}  // namespace penstock
