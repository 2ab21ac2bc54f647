// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#include "net/udp/udp_socket.hpp"

#include "base/clock.hpp"
#include "base/error.hpp"

#include <asio/ip/v6_only.hpp>
#include <fmt/format.h>
#include <netinet/in.h>
#include <spdlog/spdlog.h>

#include <cerrno>
#include <cstring>
#include <system_error>
#include <utility>

namespace penstock {
namespace {

using asio::ip::udp;

udp::socket bound(asio::io_context& context, const udp::endpoint& endpoint,
                  const std::string& for_stream) {
  udp::socket socket{context};
  try {
    socket.open(endpoint.protocol());
    if (endpoint.address().is_v6()) socket.set_option(asio::ip::v6_only{false});
    socket.bind(endpoint);
    socket.non_blocking(true);
  } catch (const std::system_error& error) {
    throw Error{error.code(),
                fmt::format("receive udp {} port {} for stream {}", endpoint.address().to_string(),
                            endpoint.port(), for_stream),
                "does another program receive there? set udp.port to another port, or udp.address "
                "to an address of this machine"};
  }
  return socket;
}

void enlarge_receive_buffer(int fd, int wanted, const std::string& for_stream) {
  // The forced form needs CAP_NET_ADMIN and is not capped; the other one is cut silently.
  if (::setsockopt(fd, SOL_SOCKET, SO_RCVBUFFORCE, &wanted, sizeof wanted) != 0) {
    (void)::setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &wanted, sizeof wanted);
  }
  int granted = 0;
  socklen_t length = sizeof granted;
  (void)::getsockopt(fd, SOL_SOCKET, SO_RCVBUF, &granted, &length);
  granted /= 2;  // the OS doubles what it grants, for its own overhead
  if (granted < wanted) {
    spdlog::warn(
        "udp receive buffer short stream={} bytes={} wanted={} remedy=\"sysctl -w "
        "net.core.rmem_max={}\"",
        for_stream, granted, wanted, wanted);
  }
}

}  // namespace

UdpSocket::UdpSocket(asio::io_context& context, const std::string& address, std::uint16_t port,
                     int buffer_bytes, const std::string& for_stream)
    : for_stream_{for_stream},
      socket_{bound(context, {asio::ip::make_address(address), port}, for_stream)} {
  const int fd = socket_.native_handle();
  enlarge_receive_buffer(fd, buffer_bytes, for_stream);
  const int on = 1;
  (void)::setsockopt(fd, SOL_SOCKET, SO_RXQ_OVFL, &on, sizeof on);
}

std::optional<UdpSocket::Datagram> UdpSocket::receive(std::span<std::byte> into,
                                                      bool peek) noexcept {
  Datagram datagram;
  iovec place{into.data(), into.size()};
  alignas(cmsghdr) std::byte control[CMSG_SPACE(sizeof(std::uint32_t))];
  for (;;) {
    msghdr message{};
    message.msg_name = &datagram.from;
    message.msg_namelen = sizeof datagram.from;
    message.msg_iov = &place;
    message.msg_iovlen = 1;
    message.msg_control = control;
    message.msg_controllen = sizeof control;
    const ssize_t got = ::recvmsg(socket_.native_handle(), &message,
                                  MSG_DONTWAIT | MSG_TRUNC | (peek ? MSG_PEEK : 0));
    if (got >= 0) {
      note_overflows(message);
      datagram.bytes = static_cast<std::size_t>(got);
      return datagram;
    }
    // An ICMP error of a datagram that somebody sent from here: not ours, and it is taken now.
    if (errno == EINTR || errno == ECONNREFUSED) continue;
    if (errno != EAGAIN) report(errno);
    return std::nullopt;
  }
}

void UdpSocket::report(int error) noexcept {
  if (const auto held_back = limit_.admit(monotonic_ns())) {
    spdlog::warn("udp receive failed stream={} error=\"{}\" held_back={}", for_stream_,
                 std::generic_category().message(error), *held_back);
  }
}

void UdpSocket::discard() noexcept {
  (void)::recv(socket_.native_handle(), nullptr, 0, MSG_DONTWAIT | MSG_TRUNC);
}

void UdpSocket::note_overflows(const msghdr& message) noexcept {
  for (cmsghdr* c = CMSG_FIRSTHDR(&message); c != nullptr;
       c = CMSG_NXTHDR(const_cast<msghdr*>(&message), c)) {
    if (c->cmsg_level == SOL_SOCKET && c->cmsg_type == SO_RXQ_OVFL) {
      std::memcpy(&overflows_, CMSG_DATA(c), sizeof overflows_);
    }
  }
}

std::uint32_t UdpSocket::take_overflows() noexcept {
  return overflows_ - std::exchange(overflows_told_, overflows_);  // right across the wrap
}

void UdpSocket::close() noexcept {
  std::error_code ignored;
  socket_.close(ignored);
}

bool same_host(const sockaddr_storage& a, const sockaddr_storage& b) noexcept {
  if (a.ss_family != b.ss_family) return false;
  if (a.ss_family == AF_INET) {
    return reinterpret_cast<const sockaddr_in&>(a).sin_addr.s_addr ==
           reinterpret_cast<const sockaddr_in&>(b).sin_addr.s_addr;
  }
  return std::memcmp(&reinterpret_cast<const sockaddr_in6&>(a).sin6_addr,
                     &reinterpret_cast<const sockaddr_in6&>(b).sin6_addr, sizeof(in6_addr)) == 0;
}

}  // namespace penstock
