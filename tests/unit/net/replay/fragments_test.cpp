// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#include "net/replay/fragments.hpp"

#include "net/replay/capture_file.hpp"
#include "tests/support/captures.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace penstock {
namespace {

class FragmentsTest : public testing::Test {
 protected:
  FragmentsTest() {
    for (std::size_t i = 0; i < whole.size(); ++i)
      whole[i] = static_cast<std::byte>(i * 7 + i / 256);
    whole[2] = std::byte{0x09};  // the UDP destination port 2368
    whole[3] = std::byte{0x40};
  }

  [[nodiscard]] IpPacket part(std::size_t offset, std::size_t bytes, std::uint32_t id = 1) const {
    IpPacket packet;
    packet.id = id;
    packet.protocol = kUdpProtocol;
    packet.offset = offset;
    packet.more = offset + bytes < whole.size();
    packet.payload = std::span<const std::byte>{whole}.subspan(offset, bytes);
    return packet;
  }
  [[nodiscard]] bool is_whole(const std::optional<std::span<const std::byte>>& payload) const {
    return payload && std::equal(payload->begin(), payload->end(), whole.begin(), whole.end());
  }

  std::vector<std::byte> whole = std::vector<std::byte>(3001);
  std::vector<std::optional<std::uint16_t>> broken;
  Fragments fragments{
      [this](std::optional<std::uint16_t> port, std::size_t) { broken.push_back(port); }};
};

TEST_F(FragmentsTest, PutsThemTogetherInAnyOrder) {
  std::vector<std::size_t> order{0, 1, 2};
  std::uint32_t id = 0;
  do {
    ++id;
    std::optional<std::span<const std::byte>> payload;
    for (const std::size_t i : order) {
      payload = fragments.add(part(i * 1200, std::min<std::size_t>(1200, 3001 - i * 1200), id), 0);
    }
    EXPECT_TRUE(is_whole(payload));
  } while (std::next_permutation(order.begin(), order.end()));
  EXPECT_TRUE(broken.empty());
}

TEST_F(FragmentsTest, TakesADuplicateForWhatItIs) {
  (void)fragments.add(part(0, 1200), 0);
  (void)fragments.add(part(0, 1200), 0);
  (void)fragments.add(part(1200, 1200), 0);

  EXPECT_TRUE(is_whole(fragments.add(part(2400, 601), 0)));
  EXPECT_TRUE(broken.empty());
}

TEST_F(FragmentsTest, GivesUpAPacketWhosePartsOverlap) {
  (void)fragments.add(part(0, 1200), 0);
  EXPECT_FALSE(fragments.add(part(800, 1600), 0));
  EXPECT_FALSE(fragments.add(part(2400, 601), 0));

  EXPECT_EQ(broken, std::vector{std::optional<std::uint16_t>{2368}});
}

TEST_F(FragmentsTest, GivesUpAPacketThatNeverBecomesWhole) {
  (void)fragments.add(part(1200, 1200, 1), 0);
  (void)fragments.add(part(0, 1200, 2), 31'000'000'000);
  EXPECT_EQ(broken, std::vector{std::optional<std::uint16_t>{}}) << "its port never came";

  fragments.give_up_all();

  EXPECT_EQ(broken.size(), 2u);
  EXPECT_EQ(broken[1], 2368);
}

TEST_F(FragmentsTest, StaysBoundedHoweverManyBegin) {
  for (std::uint32_t id = 0; id < 1000; ++id) (void)fragments.add(part(0, 1200, id), id);

  EXPECT_EQ(broken.size(), 1000u - 64);
}

TEST_F(FragmentsTest, RefusesPartsThatCannotBe) {
  IpPacket beyond = part(0, 800);
  beyond.offset = 65528;
  EXPECT_FALSE(fragments.add(beyond, 0));
  IpPacket crooked = part(0, 801, 2);  // not the last, and no multiple of eight
  EXPECT_FALSE(fragments.add(crooked, 0));
  EXPECT_EQ(broken.size(), 2u);
}

std::vector<std::vector<std::byte>> datagrams(const std::string& capture, std::uint16_t port) {
  CaptureFile file{test::capture(capture),
                   [](auto, auto) { ADD_FAILURE() << "a broken fragment"; }};
  std::vector<std::vector<std::byte>> found;
  while (const auto datagram = file.next()) {
    const auto payload = datagram->udp.payload;
    if (port == 0 || datagram->udp.port == port) found.emplace_back(payload.begin(), payload.end());
  }
  EXPECT_FALSE(file.fault());
  return found;
}

TEST(CaptureFile, PutsTheIpv6FragmentsOfARealCaptureTogether) {
  PENSTOCK_NEEDS_CAPTURE("ip/ipv6-frag.pcap");
  const auto fragmented = datagrams("ip/ipv6-frag.pcap", 0);
  const auto whole = datagrams("ip/no-ipv6-frag.pcap", 0);

  ASSERT_EQ(fragmented.size(), 3u);  // two short ones that came whole, and the long one
  ASSERT_EQ(whole.size(), 1u);
  EXPECT_EQ(whole[0].size(), 5379u);
  EXPECT_EQ(fragmented[2], whole[0]);
}

TEST(CaptureFile, PutsTheIpv4FragmentsOfARealCaptureTogether) {
  PENSTOCK_NEEDS_CAPTURE("ouster/same_ports.pcap");
  std::vector<std::size_t> sizes;
  for (const auto& datagram : datagrams("ouster/same_ports.pcap", 7502)) {
    sizes.push_back(datagram.size());
  }
  std::sort(sizes.begin(), sizes.end());
  sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());

  EXPECT_TRUE(std::find(sizes.begin(), sizes.end(), 12608u) != sizes.end());
  EXPECT_TRUE(std::find(sizes.begin(), sizes.end(), 16640u) != sizes.end());
}

}  // namespace
}  // namespace penstock
