// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/log_limit.hpp"
#include "net/reactor.hpp"
#include "net/stream_host.hpp"
#include "net/tcp/outbox.hpp"
#include "net/tcp/stream_receiver.hpp"
#include "net/wire/message.hpp"

#include <asio/ip/tcp.hpp>
#include <asio/steady_timer.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace penstock {

// One peer of the native protocol, from its connection to its end: docs/wire-protocol.md.
//
// Payloads are read from the socket straight into the slot, and the same call reads the header that
// follows, so that a small frame costs one system call.
//
// Thread: the reactor. Lifetime: shared by the listener, which ends it, and by the handlers that
// wait in the reactor, which may run a little later.
// Cost: allocates nothing per frame.
class TcpSession final : public std::enable_shared_from_this<TcpSession>,
                         private Reactor::SlotWaiter {
 public:
  // What the sessions of one listener share.
  struct Shared {
    Reactor& reactor;
    StreamHost& host;
    LogLimit violations{};  // strangers break rules for as long as they like; the log is not theirs
    LogLimit losses{};
  };

  TcpSession(std::uint64_t id, asio::ip::tcp::socket socket, std::string peer, Shared& shared);
  ~TcpSession() override;

  void start();
  // Ends it at once; a frame in the middle is dropped with `cause`.
  void stop(FrameDrop cause) noexcept;
  // Says goodbye and ends.
  void refuse(wire::GoodbyeCode code, std::string_view text);

  [[nodiscard]] bool over() const noexcept { return state_ == State::over; }

 private:
  enum class State : std::uint8_t {
    greeting,   // no hello yet
    open,       // streams may come
    lingering,  // goodbye was said; what still comes is thrown away, so that the peer can read why
    over,
  };

  // Receiving, session.cpp.
  void wait_readable();
  void wait_writable();
  void readable();
  void receive();
  void linger();
  [[nodiscard]] std::size_t lay_out(std::array<iovec, 2>& list) noexcept;
  [[nodiscard]] bool take(std::size_t bytes);
  [[nodiscard]] bool header_complete();
  [[nodiscard]] bool payload_complete();
  void input_ended(std::string_view why) noexcept;
  void slots_returned() noexcept override;
  void announce_credit() noexcept;
  void flush() noexcept;

  // Control messages, session_control.cpp.
  [[nodiscard]] bool control(std::span<const std::byte> payload);
  [[nodiscard]] bool greet(std::span<const std::byte> payload);
  [[nodiscard]] bool open_stream(std::span<const std::byte> payload);
  [[nodiscard]] bool close_stream(std::span<const std::byte> payload);
  [[nodiscard]] bool say(std::span<const std::byte> message);
  [[nodiscard]] StreamReceiver* find(std::uint32_t number) noexcept;
  [[nodiscard]] bool violated(const Violation& violation);
  [[nodiscard]] bool violated(wire::ParseError error);
  void end_streams(FrameDrop cause) noexcept;

  const std::uint64_t id_;
  asio::ip::tcp::socket socket_;
  const std::string peer_;
  Shared& shared_;
  asio::steady_timer deadline_;  // of the handshake, then of lingering
  State state_ = State::greeting;
  bool writing_ = false;  // a handler waits for the socket to take more

  std::array<std::byte, wire::kHeaderBytes> header_bytes_{};
  std::size_t header_have_ = 0;
  std::array<std::byte, wire::kMaxControlBytes> control_bytes_{};
  wire::Header header_{};            // of the message that is being read
  std::span<std::byte> rest_;        // what is missing of its payload
  StreamReceiver* frame_ = nullptr;  // whose frame it is; null: a control message
  Outbox outbox_;
  std::vector<std::unique_ptr<StreamReceiver>> streams_;
};

}  // namespace penstock
