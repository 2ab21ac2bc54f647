// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#include "net/tcp/session.hpp"

#include "net/tcp/tcp_listener.hpp"
#include "net/wire/control.hpp"
#include "tests/support/alloc_guard.hpp"
#include "tests/support/fake_stream_host.hpp"

#include <asio/connect.hpp>
#include <asio/read.hpp>
#include <asio/write.hpp>
#include <gtest/gtest.h>

#include <chrono>
#include <string_view>
#include <vector>

namespace penstock {
namespace {

using wire::MessageType;

// A listener whose reactor the test steps by hand, and a client socket on the same thread.
class TcpSessionTest : public testing::Test {
 protected:
  TcpSessionTest() {
    listener_.start();
    client_.connect({asio::ip::make_address("127.0.0.1"), listener_.port()});
    client_.set_option(asio::ip::tcp::no_delay{true});
    client_.non_blocking(true);
  }
  ~TcpSessionTest() override { listener_.stop(); }

  // Steps the reactor until something is so; a deadline only ends a test that would fail anyway.
  // (Even loopback may deliver a little later than the call that sent.)
  template <class Condition>
  bool until(const Condition& condition) {
    const auto patience = std::chrono::steady_clock::now() + std::chrono::seconds{30};
    while (!condition() && std::chrono::steady_clock::now() < patience) {
      reactor_.context().run_one_for(std::chrono::milliseconds{1});
    }
    return condition();
  }

  template <class Bytes>
  void say(const Bytes& bytes) {
    asio::write(client_, asio::buffer(bytes.data(), bytes.size()));
  }

  // The next `count` messages of the server, as types; fewer when it closed the connection.
  std::vector<MessageType> hear(std::size_t count) {
    std::vector<MessageType> types;
    until([&] { return types.size() >= count || !receive(types); });
    return types;
  }

  // False when the connection has ended.
  bool receive(std::vector<MessageType>& types) {
    std::array<std::byte, 8192> buffer;
    std::error_code error;
    const std::size_t size = client_.read_some(asio::buffer(buffer), error);
    heard_.insert(heard_.end(), buffer.begin(), buffer.begin() + static_cast<std::ptrdiff_t>(size));
    while (heard_.size() >= wire::kHeaderBytes) {
      const std::span<const std::byte> all{heard_};
      const auto header = wire::parse_header(all.first<wire::kHeaderBytes>());
      EXPECT_TRUE(header);
      const std::size_t whole = wire::kHeaderBytes + header->payload_bytes;
      if (all.size() < whole) break;
      types.push_back(header->type);
      if (header->type == MessageType::credit) {
        credit_ = wire::parse_credit(all.subspan(wire::kHeaderBytes, 8))->total;
      }
      heard_.erase(heard_.begin(), heard_.begin() + static_cast<std::ptrdiff_t>(whole));
    }
    return !error || error == asio::error::would_block;
  }

  void open() {
    say(wire::encode(wire::Hello{}));
    say(wire::encode(1, wire::OpenStream{.name = "alpha", .max_frame_bytes = 100}));
    ASSERT_EQ(hear(3),
              (std::vector{MessageType::welcome, MessageType::stream_opened, MessageType::credit}));
  }

  std::array<std::byte, wire::kHeaderBytes + 100> frame(std::uint64_t sequence) {
    std::array<std::byte, wire::kHeaderBytes + 100> bytes{};
    const auto header = wire::encode(wire::Header{
        .type = MessageType::frame, .stream = 1, .payload_bytes = 100, .sequence = sequence});
    std::copy(header.begin(), header.end(), bytes.begin());
    bytes.back() = static_cast<std::byte>(sequence);
    return bytes;
  }

  test::FakeStreamHost::Opened& stream() { return *host_.opened.at(0); }

  Reactor reactor_{"test"};
  test::FakeStreamHost host_{reactor_, 4};
  TcpListener listener_{reactor_, {"127.0.0.1", 0}, host_};
  asio::io_context client_context_;
  asio::ip::tcp::socket client_{client_context_};
  std::uint64_t credit_ = 0;
  std::vector<std::byte> heard_;
};

TEST_F(TcpSessionTest, GrantsEverySlotWhenAStreamOpens) {
  open();

  EXPECT_EQ(credit_, 4u);
}

TEST_F(TcpSessionTest, PutsThePayloadIntoTheSlotAndPublishesIt) {
  open();

  say(frame(0));

  ASSERT_TRUE(until([&] { return stream().ready.front() != nullptr; }));
  const FrameRef* const ready = stream().ready.front();
  EXPECT_EQ(ready->info().bytes, 100u);
  EXPECT_EQ(ready->info().sequence, 0u);
  EXPECT_EQ(ready->bytes().back(), std::byte{0});
  EXPECT_EQ(stream().account.receiving.bytes_received.get(), 100u);
  EXPECT_EQ(stream().account.receiving.bytes_copied_by_cpu.get(), 0u);
}

TEST_F(TcpSessionTest, GrantsASlotAnewOnlyWhenItsLastLeaseHasEnded) {
  open();
  for (std::uint64_t n = 0; n < 4; ++n) say(frame(n));
  ASSERT_TRUE(until([&] { return stream().account.receiving.frames_completed.get() == 4; }));
  std::vector<MessageType> before;
  (void)receive(before);
  EXPECT_TRUE(before.empty());

  (void)stream().ready.try_pop();

  EXPECT_EQ(hear(1), std::vector{MessageType::credit});
  EXPECT_EQ(credit_, 5u);
}

TEST_F(TcpSessionTest, EndsAPeerThatSendsWithoutCredit) {
  open();
  for (std::uint64_t n = 0; n < 5; ++n) say(frame(n));

  EXPECT_EQ(hear(1), std::vector{MessageType::goodbye});
  EXPECT_TRUE(stream().closed);
  while (stream().ready.try_pop()) {
  }
  EXPECT_EQ(stream().slots.outstanding(), 0u);
}

TEST_F(TcpSessionTest, CountsAFrameThatIsCutOffAsAborted) {
  open();
  const auto whole = frame(0);
  say(std::span{whole}.first(100));

  client_.close();

  EXPECT_TRUE(until([&] { return stream().closed; }));
  const auto& books = stream().account.receiving;
  EXPECT_EQ(books.frames_completed.get(), 1u);
  EXPECT_EQ(books.frames_partial.get(), 1u);
  EXPECT_EQ(books.frames_dropped.get(FrameDrop::aborted), 1u);
  EXPECT_EQ(books.bytes_received.get(), 36u);
  EXPECT_TRUE(stream().account.balanced());
  EXPECT_EQ(stream().slots.outstanding(), 0u);
}

TEST_F(TcpSessionTest, CountsAFrameThatOurOwnStopCutsOffAsShutdown) {
  open();
  const auto whole = frame(0);
  say(std::span{whole}.first(100));
  ASSERT_TRUE(until([&] { return stream().account.receiving.bytes_received.get() == 36; }));

  listener_.stop();

  EXPECT_EQ(stream().account.receiving.frames_dropped.get(FrameDrop::shutdown), 1u);
  EXPECT_EQ(hear(1), std::vector{MessageType::goodbye});
  EXPECT_EQ(stream().slots.outstanding(), 0u);
}

TEST_F(TcpSessionTest, ReadsAMessageHoweverItIsCutUp) {
  open();
  const auto whole = frame(0);

  for (const std::byte& byte : whole) say(std::span{&byte, 1});

  EXPECT_TRUE(until([&] { return stream().ready.front() != nullptr; }));
}

TEST_F(TcpSessionTest, TellsAPeerWhyAStreamIsRefusedAndGoesOn) {
  say(wire::encode(wire::Hello{}));
  host_.refuse_with = "no room";
  say(wire::encode(1, wire::OpenStream{.name = "alpha", .max_frame_bytes = 100}));
  EXPECT_EQ(hear(2), (std::vector{MessageType::welcome, MessageType::refused}));

  host_.refuse_with.clear();
  say(wire::encode(1, wire::OpenStream{.name = "alpha", .max_frame_bytes = 100}));
  EXPECT_EQ(hear(2), (std::vector{MessageType::stream_opened, MessageType::credit}));
}

TEST_F(TcpSessionTest, AllocatesNothingWhileFramesFlow) {
  open();
  std::array<std::byte, 8192> sink;
  const auto round = [&](std::uint64_t n) {
    const auto bytes = frame(n);
    (void)::send(client_.native_handle(), bytes.data(), bytes.size(), 0);
    while (stream().ready.front() == nullptr) reactor_.context().poll();
    (void)stream().ready.try_pop();
    reactor_.context().poll();
    (void)::recv(client_.native_handle(), sink.data(), sink.size(), MSG_DONTWAIT);
  };
  std::uint64_t n = 0;
  for (; n < 50; ++n) round(n);
  const auto before = test::allocations_on_this_thread();

  for (; n < 1050; ++n) round(n);

  EXPECT_EQ(test::allocations_on_this_thread(), before);
  EXPECT_EQ(stream().account.receiving.frames_completed.get(), 1050u);
}

TEST(TcpListenerStart, NamesAPortThatIsTaken) {
  Reactor reactor{"test"};
  test::FakeStreamHost host{reactor, 2};
  const TcpListener first{reactor, {"127.0.0.1", 0}, host};

  try {
    const TcpListener second{reactor, {"127.0.0.1", first.port()}, host};
    FAIL() << "two listeners on one port";
  } catch (const std::exception& error) {
    EXPECT_NE(std::string_view{error.what()}.find(std::to_string(first.port())),
              std::string_view::npos);
  }
}

}  // namespace
}  // namespace penstock
