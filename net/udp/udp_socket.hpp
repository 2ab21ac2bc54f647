// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/log_limit.hpp"

#include <asio/io_context.hpp>
#include <asio/ip/udp.hpp>
#include <sys/socket.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace penstock {

// A bound, non-blocking UDP socket that tells what the OS dropped before we saw it.
//
// Thread: the reactor. Cost: receiving allocates nothing.
class UdpSocket {
 public:
  // Asks for a receive buffer of `buffer_bytes` and says so when the OS grants less. `for_stream`:
  // for messages. Throws Error when the port is taken or the address is not ours.
  UdpSocket(asio::io_context& context, const std::string& address, std::uint16_t port,
            int buffer_bytes, const std::string& for_stream);

  struct Datagram {
    std::size_t bytes = 0;  // its whole length, also when `into` was shorter
    sockaddr_storage from{};
  };
  // The next datagram, into `into`; nothing when there is none. `peek`: it stays in the queue.
  [[nodiscard]] std::optional<Datagram> receive(std::span<std::byte> into, bool peek) noexcept;
  // Takes the one that was peeked at out of the queue.
  void discard() noexcept;

  // Datagrams that the OS dropped for want of buffer since the last call (SO_RXQ_OVFL).
  [[nodiscard]] std::uint32_t take_overflows() noexcept;

  [[nodiscard]] asio::ip::udp::socket& asio() noexcept { return socket_; }
  void close() noexcept;

 private:
  void note_overflows(const msghdr& message) noexcept;
  void report(int error) noexcept;

  const std::string for_stream_;
  asio::ip::udp::socket socket_;
  LogLimit limit_;
  std::uint32_t overflows_ = 0;  // as the OS counts, since the socket was made; wraps
  std::uint32_t overflows_told_ = 0;
};

// Whether two datagrams come from one host.
[[nodiscard]] bool same_host(const sockaddr_storage& a, const sockaddr_storage& b) noexcept;

}  // namespace penstock
