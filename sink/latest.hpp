// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <utility>

namespace penstock {

// Hands the newest value from one thread to another; a value that was not fetched before the next
// one came is dropped, on the thread that puts.
//
// Three places: one belongs to each side, and the one between them changes hands. Neither side ever
// waits.
//
// Thread: put() on one thread, take() on another.
template <class T>
class Latest {
 public:
  void put(T&& value) noexcept {
    places_[back_] = std::move(value);
    back_ = between_.exchange(static_cast<std::uint8_t>(back_ | kFresh)) & kPlace;
    places_[back_] = T{};
  }

  // T{} when nothing came since the last time.
  [[nodiscard]] T take() noexcept {
    if ((between_.load(std::memory_order_relaxed) & kFresh) == 0) return T{};
    front_ = between_.exchange(front_) & kPlace;
    return std::exchange(places_[front_], T{});
  }

 private:
  static constexpr std::uint8_t kFresh = 4;
  static constexpr std::uint8_t kPlace = 3;

  std::array<T, 3> places_{};
  std::uint8_t back_ = 0;                 // of put()
  std::uint8_t front_ = 1;                // of take()
  std::atomic<std::uint8_t> between_{2};  // and kFresh, when it was put there last
};

}  // namespace penstock
