// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "net/formats/registry.hpp"
#include "net/frame_builder.hpp"
#include "tests/support/port_fixture.hpp"
#include "tests/support/vlp16_packets.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <span>

namespace penstock::test {

// A builder of VLP-16 frames, fed by hand.
class FrameBuilderTest : public testing::Test {
 protected:
  explicit FrameBuilderTest(std::uint32_t slots = 4)
      : stream{slots, largest_frame_bytes(StreamKind::velodyne_vlp16)} {}

  // As a source that can write a packet twice.
  void feed(std::span<const std::byte> packet, bool can_repeat = true) {
    std::memcpy(builder.place().data(), packet.data(), packet.size());
    if (builder.commit(packet.size(), 0) == FrameBuilder::Next::packet) return;
    if (!can_repeat) return builder.copy_across();
    std::memcpy(builder.place().data(), packet.data(), packet.size());
    builder.commit_again();
  }
  void feed(std::uint64_t from, std::uint64_t to) {
    for (std::uint64_t n = from; n < to; ++n) feed(packets.at(n));
  }
  void expect_balanced() {
    builder.flush();
    stream.deliver_all();
    EXPECT_TRUE(stream.account.balanced());
    EXPECT_EQ(stream.slots.outstanding(), 0u);
  }

  PortFixture stream;
  Vlp16Packets packets;
  FrameBuilder builder{"lidar", stream.port, make_assembler(StreamKind::velodyne_vlp16)};
};

}  // namespace penstock::test
