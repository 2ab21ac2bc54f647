// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#include "net/replay/packet.hpp"

#include <gtest/gtest.h>

#include <initializer_list>
#include <string>
#include <vector>

namespace penstock {
namespace {

using Bytes = std::vector<std::byte>;

Bytes bytes(std::initializer_list<int> values) {
  Bytes result;
  for (const int value : values) result.push_back(static_cast<std::byte>(value));
  return result;
}

Bytes operator+(Bytes a, const Bytes& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

// "hello" to port 2368, in IPv4 and in IPv6.
const Bytes kUdp = bytes({0x30, 0x39, 0x09, 0x40, 0, 13, 0, 0, 'h', 'e', 'l', 'l', 'o'});
const Bytes kIpv4 = bytes({0x46, 0, 0, 37, 0,  9, 0x40, 0, 64, 17, 0, 0,
                           10,   0, 0, 1,  10, 0, 0,    2, 1,  1,  1, 1}) +  // with an option
                    kUdp;
const Bytes kIpv6 = bytes({0x60, 0, 0, 0, 0, 21, 0, 64}) + Bytes(32) +
                    bytes({17, 0, 0, 0, 0, 0, 0, 0}) + kUdp;  // a hop-by-hop header before UDP

std::string through(std::uint32_t link_type, const Bytes& data) {
  const auto packet =
      find_ip({.data = data, .original_bytes = data.size(), .link_type = link_type});
  if (!packet || packet->protocol != kUdpProtocol) return "no packet";
  const auto udp = find_udp(packet->payload, packet->cut);
  if (!udp || udp->port != 2368) return "no datagram";
  return {reinterpret_cast<const char*>(udp->payload.data()), udp->payload.size()};
}

TEST(FindIp, GoesThroughEveryLinkLayer) {
  const Bytes mac(12);
  EXPECT_EQ(through(1, mac + bytes({8, 0}) + kIpv4), "hello");
  EXPECT_EQ(through(1, mac + bytes({0x86, 0xDD}) + kIpv6), "hello");
  EXPECT_EQ(through(1, mac + bytes({0x88, 0xA8, 0, 1, 0x81, 0, 0, 5, 8, 0}) + kIpv4), "hello");
  EXPECT_EQ(through(0, bytes({2, 0, 0, 0}) + kIpv4), "hello");
  EXPECT_EQ(through(108, bytes({0, 0, 0, 24}) + kIpv6), "hello");
  EXPECT_EQ(through(101, kIpv4), "hello");
  EXPECT_EQ(through(228, kIpv4), "hello");
  EXPECT_EQ(through(229, kIpv6), "hello");
  EXPECT_EQ(through(113, Bytes(14) + bytes({8, 0}) + kIpv4), "hello");
  EXPECT_EQ(through(276, bytes({8, 0}) + Bytes(18) + kIpv4), "hello");
  EXPECT_EQ(through(147, kIpv4), "no packet") << "a link type that nobody gave us";
  EXPECT_EQ(through(1, mac + bytes({8, 6}) + kIpv4), "no packet") << "ARP";
}

TEST(FindIp, LeavesOutTheFillOfShortEthernetFrames) {
  EXPECT_EQ(through(1, Bytes(12) + bytes({8, 0}) + kIpv4 + Bytes(9)), "hello");
}

TEST(FindIp, KnowsAFragment) {
  Bytes first = kIpv4;
  first[6] = std::byte{0x20};
  Bytes second = kIpv4;
  second[6] = std::byte{0};
  second[7] = std::byte{3};

  EXPECT_TRUE(find_ip({.data = first, .link_type = 101})->more);
  EXPECT_EQ(find_ip({.data = second, .link_type = 101})->offset, 24u);
  EXPECT_FALSE(find_ip({.data = kIpv4, .link_type = 101})->fragment());
}

TEST(FindIp, SurvivesEveryCutAndEveryByteChanged) {
  for (const Bytes& whole :
       {Bytes(12) + bytes({8, 0}) + kIpv4, Bytes(12) + bytes({0x86, 0xDD}) + kIpv6}) {
    for (std::size_t length = 0; length <= whole.size(); ++length) {
      (void)through(1, Bytes(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(length)));
    }
    for (std::size_t at = 0; at < whole.size(); ++at) {
      for (const int value : {0, 1, 0x7F, 0x80, 0xFF}) {
        Bytes changed = whole;
        changed[at] = static_cast<std::byte>(value);
        (void)through(1, changed);
      }
    }
  }
}

TEST(FindUdp, SaysWhatIsMissingOfADatagramThatTheCaptureCut) {
  const auto udp = find_udp(std::span{kUdp}.first(10), true);

  ASSERT_TRUE(udp);
  EXPECT_EQ(udp->payload.size(), 2u);
  EXPECT_EQ(udp->payload_bytes, 5u);
  EXPECT_FALSE(find_udp(std::span{kUdp}.first(10), false)) << "longer than its packet";
}

}  // namespace
}  // namespace penstock
