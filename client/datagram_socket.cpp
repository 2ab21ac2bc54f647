// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#include "client/datagram_socket.hpp"

#include "client/sender.hpp"

#include <asio/buffer.hpp>

#include <system_error>

namespace penstock {
namespace {

using asio::ip::udp;

udp::endpoint resolve(asio::io_context& context, const std::string& host) {
  udp::resolver resolver{context};
  std::error_code error;
  const auto found = resolver.resolve(host, "0", error);
  if (error || found.empty()) {
    throw SenderError{"cannot find the host " + host + ": " + error.message()};
  }
  return *found.begin();
}

}  // namespace

DatagramSocket::DatagramSocket(const std::string& host)
    : to_{resolve(context_, host)}, socket_{context_, to_.protocol()} {}

bool DatagramSocket::send(std::span<const std::byte> datagram, std::uint16_t port) noexcept {
  to_.port(port);
  std::error_code error;
  socket_.send_to(asio::buffer(datagram.data(), datagram.size()), to_, 0, error);
  return !error;
}

}  // namespace penstock
