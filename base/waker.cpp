// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#include "base/waker.hpp"

#include "base/error.hpp"

#include <poll.h>
#include <sys/eventfd.h>

#include <cstdint>

namespace penstock {

Waker::Waker()
    : event_{require_not_negative(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK), "eventfd")} {}

void Waker::ring() noexcept {
  const std::uint64_t one = 1;
  // Fails only when the counter is full, and then the sleeper is awake already.
  [[maybe_unused]] const auto written = ::write(event_.get(), &one, sizeof one);
}

void Waker::disarm() noexcept {
  armed_.store(false, std::memory_order_relaxed);
  std::uint64_t rings = 0;
  [[maybe_unused]] const auto read = ::read(event_.get(), &rings, sizeof rings);
}

void Waker::wait(int timeout_ms) noexcept {
  pollfd entry{.fd = event_.get(), .events = POLLIN, .revents = 0};
  (void)::poll(&entry, 1, timeout_ms);
}

}  // namespace penstock
