// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/waker.hpp"

#include <asio/executor_work_guard.hpp>
#include <asio/io_context.hpp>
#include <asio/posix/stream_descriptor.hpp>

#include <functional>
#include <future>
#include <string>
#include <thread>
#include <vector>

namespace penstock {

// One thread with one Asio io_context. Owns everything that is used on it: sockets, sessions, the
// receiving side of streams.
//
// Lifetime: outlives the transports on it and the SlotRings whose owner is waker().
class Reactor {
 public:
  // Told on the reactor's thread that a slot may have come back, after somebody called
  // SlotRing::wake_when_returned() on a ring whose owner is this reactor's waker.
  class SlotWaiter {
   public:
    SlotWaiter() = default;
    SlotWaiter(const SlotWaiter&) = delete;
    SlotWaiter& operator=(const SlotWaiter&) = delete;
    virtual ~SlotWaiter() = default;
    virtual void slots_returned() noexcept = 0;
  };

  explicit Reactor(std::string name);
  Reactor(const Reactor&) = delete;
  Reactor& operator=(const Reactor&) = delete;
  ~Reactor();

  [[nodiscard]] asio::io_context& context() noexcept { return context_; }
  // The owner of the SlotRings that transports on this reactor fill.
  [[nodiscard]] Waker& waker() noexcept { return waker_; }

  // Thread: the reactor, or while it does not run. A waiter may remove itself or others while told.
  void add(SlotWaiter& waiter);
  void remove(SlotWaiter& waiter) noexcept;

  void start();
  // Ends the thread; handlers that have not run yet do not run any more.
  void stop() noexcept;

  // Runs `work` on the reactor's thread and waits for it; its exceptions come back. Not from the
  // reactor itself. While the thread does not run, `work` runs here.
  void run(const std::function<void()>& work);

 private:
  void wait_for_slots();

  std::string name_;
  asio::io_context context_{1};
  asio::executor_work_guard<asio::io_context::executor_type> work_;
  Waker waker_;
  asio::posix::stream_descriptor ring_;  // a duplicate of the waker's descriptor
  std::vector<SlotWaiter*> waiters_;     // null where one left during a round
  std::thread thread_;
};

}  // namespace penstock
