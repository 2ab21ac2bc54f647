// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <asio/io_context.hpp>
#include <asio/ip/udp.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace penstock {

// Sends datagrams to one host, as a sensor does: nobody answers, and a receiver that is not there
// is no error.
//
// Thread: one.
class DatagramSocket {
 public:
  // Throws SenderError when the host cannot be resolved.
  explicit DatagramSocket(const std::string& host);

  // False when the machine itself did not take it.
  [[nodiscard]] bool send(std::span<const std::byte> datagram, std::uint16_t port) noexcept;

 private:
  asio::io_context context_;
  asio::ip::udp::endpoint to_;
  asio::ip::udp::socket socket_;
};

}  // namespace penstock
