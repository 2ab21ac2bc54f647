// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#include "net/tcp/outbox.hpp"

#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace penstock {

bool Outbox::add(std::span<const std::byte> message) noexcept {
  if (message.size() > buffer_.size() - bytes_) return false;
  std::copy(message.begin(), message.end(), buffer_.begin() + static_cast<std::ptrdiff_t>(bytes_));
  bytes_ += message.size();
  return true;
}

Outbox::State Outbox::flush(int socket) noexcept {
  while (bytes_ != 0) {
    const ssize_t sent = ::send(socket, buffer_.data(), bytes_, MSG_DONTWAIT | MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent < 0) return errno == EAGAIN ? State::waiting : State::broken;
    bytes_ -= static_cast<std::size_t>(sent);
    std::memmove(buffer_.data(), buffer_.data() + sent, bytes_);
  }
  return State::sent;
}

}  // namespace penstock
