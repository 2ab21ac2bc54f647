// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/cacheline.hpp"

#include <atomic>
#include <bit>
#include <cstddef>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>

namespace penstock {

// Bounded queue from one producer thread to one consumer thread.
//
// Cost: no locks, no allocation after construction. Each side keeps a private copy of the other's
// position and refreshes it only when the ring looks full (or empty), so under load the two cores
// fetch each other's cache line once in many elements and not once for each.
template <class T>
class SpscRing {
  static_assert(std::is_nothrow_move_constructible_v<T> &&
                std::is_nothrow_default_constructible_v<T> && std::is_nothrow_move_assignable_v<T>);

 public:
  explicit SpscRing(std::size_t min_capacity)
      : mask_{std::bit_ceil(min_capacity) - 1}, slots_{std::make_unique<T[]>(mask_ + 1)} {}

  [[nodiscard]] std::size_t capacity() const noexcept { return mask_ + 1; }

  // Producer. How many pushes are sure to succeed.
  [[nodiscard]] std::size_t writable() noexcept {
    head_seen_ = head_.load(std::memory_order_acquire);
    return mask_ + 1 - (tail_.load(std::memory_order_relaxed) - head_seen_);
  }

  // Producer. Leaves `value` untouched when the ring is full.
  [[nodiscard]] bool try_push(T&& value) noexcept {
    const std::size_t tail = tail_.load(std::memory_order_relaxed);
    if (tail - head_seen_ > mask_) {
      head_seen_ = head_.load(std::memory_order_acquire);
      if (tail - head_seen_ > mask_) return false;
    }
    slots_[tail & mask_] = std::move(value);
    tail_.store(tail + 1, std::memory_order_release);
    return true;
  }

  // Consumer. The oldest element, or null; stays valid until try_pop().
  [[nodiscard]] T* front() noexcept {
    const std::size_t head = head_.load(std::memory_order_relaxed);
    if (head == tail_seen_) {
      tail_seen_ = tail_.load(std::memory_order_acquire);
      if (head == tail_seen_) return nullptr;
    }
    return &slots_[head & mask_];
  }

  // Consumer.
  [[nodiscard]] std::optional<T> try_pop() noexcept {
    T* const oldest = front();
    if (oldest == nullptr) return std::nullopt;
    // Moved out through an exchange so that a lease left in the slot cannot outlive its pop.
    std::optional<T> value{std::exchange(*oldest, T{})};
    head_.store(head_.load(std::memory_order_relaxed) + 1, std::memory_order_release);
    return value;
  }

 private:
  const std::size_t mask_;
  const std::unique_ptr<T[]> slots_;

  alignas(kCacheLine) std::atomic<std::size_t> tail_{0};  // written by the producer
  std::size_t head_seen_ = 0;                             // producer's copy of head_
  alignas(kCacheLine) std::atomic<std::size_t> head_{0};  // written by the consumer
  std::size_t tail_seen_ = 0;                             // consumer's copy of tail_
};

}  // namespace penstock
