// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#include "net/tcp/socket_options.hpp"

#include <netinet/tcp.h>
#include <sys/socket.h>

#include <system_error>

namespace penstock {
namespace {

constexpr int kIdleSeconds = 5;
constexpr int kProbeSeconds = 2;
constexpr int kProbes = 3;
constexpr unsigned kUnansweredMs = 10'000;

}  // namespace

void set_up_stream_socket(asio::ip::tcp::socket& socket) noexcept {
  std::error_code ignored;  // each of these is a refinement: without it the connection still works
  socket.non_blocking(true, ignored);
  socket.set_option(asio::ip::tcp::no_delay{true}, ignored);
  socket.set_option(asio::socket_base::keep_alive{true}, ignored);
  const int fd = socket.native_handle();
  (void)::setsockopt(fd, IPPROTO_TCP, TCP_KEEPIDLE, &kIdleSeconds, sizeof kIdleSeconds);
  (void)::setsockopt(fd, IPPROTO_TCP, TCP_KEEPINTVL, &kProbeSeconds, sizeof kProbeSeconds);
  (void)::setsockopt(fd, IPPROTO_TCP, TCP_KEEPCNT, &kProbes, sizeof kProbes);
  (void)::setsockopt(fd, IPPROTO_TCP, TCP_USER_TIMEOUT, &kUnansweredMs, sizeof kUnansweredMs);
}

}  // namespace penstock
