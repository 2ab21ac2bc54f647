// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#include "client/connection.hpp"

#include "base/clock.hpp"
#include "net/tcp/socket_options.hpp"
#include "net/wire/control.hpp"

#include <asio/connect.hpp>
#include <asio/io_context.hpp>
#include <asio/ip/tcp.hpp>
#include <fmt/format.h>
#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <utility>

namespace penstock {
namespace {

using asio::ip::tcp;

std::string text_of(const SenderOptions& options) {
  const bool v6 = options.host.find(':') != std::string::npos;
  return v6 ? fmt::format("[{}]:{}", options.host, options.port)
            : fmt::format("{}:{}", options.host, options.port);
}

int connected_socket(const SenderOptions& options) {
  asio::io_context context;
  tcp::resolver resolver{context};
  tcp::socket socket{context};
  std::error_code outcome = asio::error::timed_out;
  resolver.async_resolve(
      options.host, std::to_string(options.port),
      [&](std::error_code error, const tcp::resolver::results_type& found) {
        outcome = error;
        if (error) return;
        outcome = asio::error::timed_out;
        asio::async_connect(
            socket, found, [&](std::error_code failed, const tcp::endpoint&) { outcome = failed; });
      });
  context.run_for(std::chrono::milliseconds{options.timeout_ms});
  if (outcome) {
    throw SenderError{fmt::format("cannot connect to {}: {} (is a server listening there?)",
                                  text_of(options), outcome.message())};
  }
  set_up_stream_socket(socket);
  return socket.release();
}

// Waits for one of `events`; what came, or 0 when the time was over.
short wait_for(int socket, short events, std::int64_t deadline_ns) {
  for (;;) {
    const std::int64_t left_ns = std::max<std::int64_t>(deadline_ns - monotonic_ns(), 0);
    const auto left_ms = std::min<std::int64_t>((left_ns + 999'999) / 1'000'000, 1'000);
    pollfd poll{.fd = socket, .events = events, .revents = 0};
    const int ready = ::poll(&poll, 1, static_cast<int>(left_ms));
    if (ready > 0) return poll.revents;
    if (ready == 0 && left_ms * 1'000'000 >= left_ns) return 0;
  }
}

}  // namespace

Connection::Connection(const SenderOptions& options)
    : peer_{text_of(options)}, socket_{connected_socket(options)} {}

void Connection::ended(const std::string& why) {
  throw SenderError{fmt::format("the session with {} has ended: {}", peer_, why)};
}

std::optional<Connection::Message> Connection::parsed() {
  std::memmove(buffer_.data(), buffer_.data() + used_, have_ - used_);
  have_ -= std::exchange(used_, 0);
  if (have_ < wire::kHeaderBytes) return std::nullopt;
  const auto header = wire::parse_header(std::span{buffer_}.first<wire::kHeaderBytes>());
  if (!header || header->type == wire::MessageType::frame) {
    ended(fmt::format("it does not speak our protocol ({})",
                      header ? "unexpected frame" : wire::name(header.error())));
  }
  const std::size_t whole = wire::kHeaderBytes + header->payload_bytes;
  if (have_ < whole) return std::nullopt;
  used_ = whole;
  const Message message{*header,
                        std::span{buffer_}.subspan(wire::kHeaderBytes, header->payload_bytes)};
  if (header->type == wire::MessageType::goodbye) {
    const auto reason = wire::parse_reason(message.payload);
    ended(reason ? reason->text : "it said goodbye");
  }
  return message;
}

std::optional<Connection::Message> Connection::receive(std::int64_t deadline_ns) {
  for (;;) {
    if (const auto message = parsed()) return message;
    const ssize_t got =
        ::recv(socket_.get(), buffer_.data() + have_, buffer_.size() - have_, MSG_DONTWAIT);
    if (got > 0) {
      have_ += static_cast<std::size_t>(got);
      continue;
    }
    if (got == 0) ended("the server closed the connection");
    if (errno == EINTR) continue;
    if (errno != EAGAIN) ended(std::strerror(errno));
    if (deadline_ns == 0 || wait_for(socket_.get(), POLLIN, deadline_ns) == 0) return std::nullopt;
  }
}

void Connection::send(std::span<const std::byte> message) { send(message, {}); }

void Connection::send(std::span<const std::byte> header, std::span<const std::byte> payload) {
  while (!header.empty() || !payload.empty()) {
    std::array<iovec, 2> list{{{const_cast<std::byte*>(header.data()), header.size()},
                               {const_cast<std::byte*>(payload.data()), payload.size()}}};
    const msghdr message{.msg_name = nullptr,
                         .msg_namelen = 0,
                         .msg_iov = list.data(),
                         .msg_iovlen = list.size(),
                         .msg_control = nullptr,
                         .msg_controllen = 0,
                         .msg_flags = 0};
    const ssize_t sent = ::sendmsg(socket_.get(), &message, MSG_DONTWAIT | MSG_NOSIGNAL);
    if (sent >= 0) {
      const auto of_header = std::min(static_cast<std::size_t>(sent), header.size());
      header = header.subspan(of_header);
      payload = payload.subspan(static_cast<std::size_t>(sent) - of_header);
      continue;
    }
    if (errno == EINTR) continue;
    if (errno != EAGAIN) {
      const std::string why = std::strerror(errno);
      while (receive(0)) {
      }  // throws with the server's own reason where it gave one
      ended(why);
    }
    // A server that is gone without a word ends this through TCP_USER_TIMEOUT.
    (void)wait_for(socket_.get(), POLLOUT, monotonic_ns() + 1'000'000'000);
  }
}

}  // namespace penstock
