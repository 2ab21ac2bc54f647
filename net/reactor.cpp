// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#include "net/reactor.hpp"

#include "base/error.hpp"

#include <asio/post.hpp>
#include <fcntl.h>
#include <pthread.h>

#include <algorithm>
#include <cstddef>
#include <utility>

namespace penstock {

Reactor::Reactor(std::string name)
    : name_{std::move(name)},
      work_{asio::make_work_guard(context_)},
      ring_{context_, require_not_negative(::fcntl(waker_.fd(), F_DUPFD_CLOEXEC, 0), "dup")} {
  waker_.arm();
  wait_for_slots();
}

Reactor::~Reactor() { stop(); }

void Reactor::add(SlotWaiter& waiter) { waiters_.push_back(&waiter); }

void Reactor::remove(SlotWaiter& waiter) noexcept {
  std::replace(waiters_.begin(), waiters_.end(), &waiter, static_cast<SlotWaiter*>(nullptr));
}

void Reactor::wait_for_slots() {
  ring_.async_wait(asio::posix::stream_descriptor::wait_read, [this](std::error_code error) {
    if (error) return;
    waker_.disarm();
    // Armed again before anyone looks for slots: a return during the round rings once more.
    waker_.arm();
    for (std::size_t i = 0; i < waiters_.size(); ++i) {  // the vector may grow meanwhile
      if (waiters_[i] != nullptr) waiters_[i]->slots_returned();
    }
    std::erase(waiters_, nullptr);
    wait_for_slots();
  });
}

void Reactor::start() {
  thread_ = std::thread{[this] {
    ::pthread_setname_np(::pthread_self(), name_.substr(0, 15).c_str());
    context_.run();
  }};
}

void Reactor::stop() noexcept {
  if (!thread_.joinable()) return;
  context_.stop();
  thread_.join();
}

void Reactor::run(const std::function<void()>& work) {
  if (!thread_.joinable()) return work();
  std::packaged_task<void()> task{work};
  std::future<void> done = task.get_future();
  asio::post(context_, std::ref(task));
  done.get();
}

}  // namespace penstock
