// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/cacheline.hpp"
#include "base/file_descriptor.hpp"

#include <atomic>

namespace penstock {

// Wakes one thread that may sleep on a file descriptor. Costs a system call only when that thread
// said that it is about to sleep.
//
// The sleeper: arm(); look for work once more; if there is none, wait until fd() is readable;
// disarm(). Looking again after arming closes the race with a notify() that came in between.
//
// Thread: one sleeper; notify() from any thread.
class Waker {
 public:
  Waker();

  // To be called after the work was made visible (a ring push, a slot returned).
  void notify() noexcept {
    // seq_cst: the work must be visible before `armed_` is read, or both sides could miss each
    // other. Pairs with the fence in arm().
    std::atomic_thread_fence(std::memory_order_seq_cst);
    if (armed_.load(std::memory_order_relaxed) && armed_.exchange(false)) ring();
  }

  void arm() noexcept {
    armed_.store(true, std::memory_order_relaxed);
    std::atomic_thread_fence(std::memory_order_seq_cst);
  }
  // Ends the sleep: takes back the arming and swallows a ring that came.
  void disarm() noexcept;

  // Sleeps until notified or until `timeout_ms` passed. For threads that have nothing else to wait
  // for; call between arm() and disarm().
  void wait(int timeout_ms) noexcept;

  [[nodiscard]] int fd() const noexcept { return event_.get(); }

 private:
  void ring() noexcept;

  FileDescriptor event_;
  alignas(kCacheLine) std::atomic<bool> armed_{false};
};

}  // namespace penstock
