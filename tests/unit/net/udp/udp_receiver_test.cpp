// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#include "net/udp/udp_receiver.hpp"

#include "net/formats/registry.hpp"
#include "tests/support/alloc_guard.hpp"
#include "tests/support/port_fixture.hpp"
#include "tests/support/vlp16_packets.hpp"

#include <asio/ip/udp.hpp>
#include <gtest/gtest.h>

#include <chrono>
#include <cstring>
#include <string_view>

namespace penstock {
namespace {

using asio::ip::udp;

std::uint16_t free_port(const asio::ip::address& address) {
  asio::io_context context;
  return udp::socket{context, {address, 0}}.local_endpoint().port();
}

class UdpReceiverTest : public testing::TestWithParam<const char*> {
 protected:
  UdpReceiverTest() {
    if (address_.is_v6() && !has_ipv6()) return;
    receiver_ = std::make_unique<UdpReceiver>(reactor_, UdpEndpoint{GetParam(), port_, side_port_},
                                              "lidar", StreamKind::velodyne_vlp16, stream_.port);
    receiver_->start();
    sender_.open(udp{address_.is_v6() ? udp::v6() : udp::v4()});
  }
  void SetUp() override {
    if (!receiver_) GTEST_SKIP() << "no IPv6 on this machine";
  }
  ~UdpReceiverTest() override {
    if (receiver_) receiver_->stop();
  }
  static bool has_ipv6() {
    try {
      (void)free_port(asio::ip::make_address("::1"));
      return true;
    } catch (const std::exception&) {
      return false;
    }
  }

  template <class Condition>
  bool until(const Condition& condition) {
    const auto patience = std::chrono::steady_clock::now() + std::chrono::seconds{30};
    while (!condition() && std::chrono::steady_clock::now() < patience) {
      reactor_.context().run_one_for(std::chrono::milliseconds{1});
    }
    return condition();
  }
  template <class Bytes>
  void send(const Bytes& bytes, std::uint16_t port) {
    sender_.send_to(asio::buffer(bytes.data(), bytes.size()), {address_, port});
  }
  void send_turns(std::uint64_t from, std::uint64_t to) {
    for (std::uint64_t n = from; n < to; ++n) {
      send(packets_.at(n), port_);
      reactor_.context().poll();
    }
  }
  [[nodiscard]] std::uint64_t received() { return stream_.books().packets_received.get(); }

  Reactor reactor_{"test"};
  test::PortFixture stream_{4, largest_frame_bytes(StreamKind::velodyne_vlp16), &reactor_.waker()};
  asio::ip::address address_ = asio::ip::make_address(GetParam());
  std::uint16_t port_ =
      free_port(address_.is_v6() && !has_ipv6() ? asio::ip::make_address("127.0.0.1") : address_);
  std::uint16_t side_port_ = free_port(asio::ip::make_address("127.0.0.1"));
  test::Vlp16Packets packets_;
  std::unique_ptr<UdpReceiver> receiver_;
  asio::io_context sender_context_;
  udp::socket sender_{sender_context_};
};

TEST_P(UdpReceiverTest, PutsPacketsIntoTheFramesThatTheyBelongTo) {
  send_turns(0, 160);
  ASSERT_TRUE(until([&] { return received() == 160; }));

  const auto first = stream_.take();
  const auto second = stream_.take();
  ASSERT_TRUE(first && second);
  for (std::size_t n = 0; n < 76; ++n) {
    EXPECT_EQ(std::memcmp(first->bytes().data() + 1206 * n, packets_.at(n).data(), 1206), 0) << n;
  }
  EXPECT_EQ(std::memcmp(second->bytes().data(), packets_.at(75).data(), 1206), 0);
  EXPECT_EQ(stream_.books().bytes_copied_by_cpu.get(), 0u);
  EXPECT_EQ(stream_.books().packets_lost.get(), 0u);
}

TEST_P(UdpReceiverTest, PublishesTheLastFrameWhenTheSensorFallsSilent) {
  send_turns(0, 20);

  ASSERT_TRUE(until([&] { return stream_.ready.front() != nullptr; }));

  EXPECT_EQ(stream_.take()->info().bytes, 20u * 1206);
}

TEST_P(UdpReceiverTest, CountsDatagramsOfTheWrongLengthAndGoesOn) {
  send(std::vector<std::byte>(1), port_);
  send(std::vector<std::byte>(1205), port_);
  send(std::vector<std::byte>(1212), port_);
  send(std::vector<std::byte>(60'000), port_);
  send(std::vector<std::byte>(), port_);
  send_turns(0, 5);

  ASSERT_TRUE(until([&] { return received() == 10; }));

  EXPECT_EQ(stream_.books().packets_rejected.get(PacketReject::unexpected_length), 5u);
  EXPECT_EQ(stream_.books().packets_placed.get(), 5u);
  EXPECT_EQ(stream_.books().bytes_received.get(), 5u * 1206 + 1 + 1205 + 1212 + 60'000);
}

TEST_P(UdpReceiverTest, ReturnsItsSlotsAndBalancesItsBooksWhenItStops) {
  send_turns(0, 100);
  ASSERT_TRUE(until([&] { return received() == 100; }));

  receiver_->stop();

  stream_.deliver_all();
  EXPECT_EQ(stream_.slots.outstanding(), 0u);
  EXPECT_TRUE(stream_.account.balanced());
  EXPECT_EQ(stream_.books().frames_completed.get(), 2u);
}

TEST_P(UdpReceiverTest, AllocatesNothingWhilePacketsFlow) {
  send_turns(0, 200);
  ASSERT_TRUE(until([&] { return received() == 200; }));
  stream_.deliver_all();
  // Made before, so that only the receiver is measured.
  std::vector<test::Vlp16Packet> made;
  for (std::uint64_t n = 200; n < 600; ++n) made.push_back(packets_.at(n));
  const auto before = test::allocations_on_this_thread();

  for (const auto& packet : made) {
    send(packet, port_);
    const auto wanted = received() + 1;
    while (received() < wanted) reactor_.context().poll();
    stream_.deliver_all();
  }

  EXPECT_EQ(test::allocations_on_this_thread(), before);
}

INSTANTIATE_TEST_SUITE_P(Over, UdpReceiverTest, testing::Values("127.0.0.1", "::1"),
                         [](const auto& address) {
                           return std::string{address.param[0] == ':' ? "IPv6" : "IPv4"};
                         });

class UdpReceiverV4 : public UdpReceiverTest {};
INSTANTIATE_TEST_SUITE_P(Only, UdpReceiverV4, testing::Values("127.0.0.1"));

TEST_P(UdpReceiverV4, KeepsAStrangerOutOfTheFrames) {
  send_turns(0, 10);
  ASSERT_TRUE(until([&] { return received() == 10; }));
  udp::socket stranger{sender_context_, {asio::ip::make_address("127.0.0.2"), 0}};
  const auto packet = packets_.at(10);
  stranger.send_to(asio::buffer(packet.data(), packet.size()), {address_, port_});
  send_turns(10, 20);

  ASSERT_TRUE(until([&] { return received() == 21; }));

  EXPECT_EQ(stream_.books().packets_rejected.get(PacketReject::other_sender), 1u);
  EXPECT_EQ(stream_.books().packets_placed.get(), 20u);
}

TEST_P(UdpReceiverV4, TakesAnotherHostForTheSensorWhenTheFirstHasFallenSilent) {
  send_turns(0, 10);
  ASSERT_TRUE(until([&] { return received() == 10; }));
  udp::socket next{sender_context_, {asio::ip::make_address("127.0.0.2"), 0}};
  const auto packet = test::Vlp16Packets{0, 2'000'000'000}.at(0);  // with a clock of its own

  // It sends all the while, which must not keep the place of the first one occupied.
  ASSERT_TRUE(until([&] {
    next.send_to(asio::buffer(packet.data(), packet.size()), {address_, port_});
    return stream_.books().packets_placed.get() > 10;
  }));

  EXPECT_GT(stream_.books().packets_rejected.get(PacketReject::other_sender), 0u);
}

TEST_P(UdpReceiverV4, CountsPositionPacketsAside) {
  send(std::vector<std::byte>(512), side_port_);
  send(std::vector<std::byte>(511), side_port_);

  ASSERT_TRUE(until([&] { return received() == 2; }));

  EXPECT_EQ(stream_.books().packets_side.get(), 1u);
}

TEST_P(UdpReceiverV4, ReceivesIPv4AtTheAddressOfBoth) {
  if (!has_ipv6()) GTEST_SKIP() << "no IPv6 on this machine";
  test::PortFixture both{4, largest_frame_bytes(StreamKind::velodyne_vlp16), &reactor_.waker()};
  const std::uint16_t port = free_port(asio::ip::make_address("::"));
  UdpReceiver receiver{reactor_, {"::", port, 0}, "both", StreamKind::velodyne_vlp16, both.port};
  receiver.start();
  for (std::uint64_t n = 0; n < 5; ++n) send(packets_.at(n), port);

  EXPECT_TRUE(until([&] { return both.books().packets_placed.get() == 5; }));

  receiver.stop();
}

TEST_P(UdpReceiverV4, NamesAPortThatIsTaken) {
  test::PortFixture other{2, 4096};
  try {
    const UdpReceiver second{
        reactor_, {GetParam(), port_, 0}, "other", StreamKind::velodyne_vlp16, other.port};
    FAIL() << "two receivers on one port";
  } catch (const std::exception& error) {
    EXPECT_NE(std::string_view{error.what()}.find(std::to_string(port_)), std::string_view::npos);
  }
}

}  // namespace
}  // namespace penstock
