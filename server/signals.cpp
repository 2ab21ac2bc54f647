// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#include "server/signals.hpp"

#include <signal.h>
#include <time.h>
#include <unistd.h>

namespace penstock {
namespace {

sigset_t watched() noexcept {
  sigset_t set;
  ::sigemptyset(&set);
  ::sigaddset(&set, SIGINT);
  ::sigaddset(&set, SIGTERM);
  return set;
}

}  // namespace

Signals::Signals() {
  const sigset_t set = watched();
  ::pthread_sigmask(SIG_BLOCK, &set, nullptr);
  // A peer that closes its socket is an error code of the write, not the end of the process.
  (void)::signal(SIGPIPE, SIG_IGN);
}

std::optional<int> Signals::wait(int timeout_ms) noexcept {
  const sigset_t set = watched();
  const timespec timeout{.tv_sec = timeout_ms / 1000, .tv_nsec = timeout_ms % 1000 * 1'000'000L};
  const int number = ::sigtimedwait(&set, nullptr, &timeout);
  return number > 0 ? std::optional{number} : std::nullopt;
}

void Signals::end_at_the_next() const noexcept {
  const auto end = [](int number) { ::_exit(128 + number); };
  for (const int number : {SIGINT, SIGTERM}) (void)::signal(number, end);
  const sigset_t set = watched();
  ::pthread_sigmask(SIG_UNBLOCK, &set, nullptr);
}

}  // namespace penstock
