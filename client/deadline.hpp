// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clock.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <functional>
#include <limits>
#include <thread>

namespace penstock {

// Until when something is sent: the end of the duration, or when it is told to stop.
class Deadline {
 public:
  // `seconds` 0: no end but `stopped`, which outlives it.
  Deadline(double seconds, const std::function<bool()>& stopped)
      : begin_ns_{monotonic_ns()},
        end_ns_{seconds > 0 ? begin_ns_ + static_cast<std::int64_t>(seconds * 1e9)
                            : std::numeric_limits<std::int64_t>::max()},
        stopped_{stopped} {}

  [[nodiscard]] bool over() const { return monotonic_ns() >= end_ns_ || stopped_(); }
  [[nodiscard]] std::int64_t elapsed_ns() const noexcept { return monotonic_ns() - begin_ns_; }
  [[nodiscard]] double seconds() const noexcept { return static_cast<double>(elapsed_ns()) / 1e9; }

  // Sleeps until `due_ns` after the beginning; an absolute time, so that a late frame does not
  // delay those behind it. False when it is over first.
  [[nodiscard]] bool sleep_until(std::int64_t due_ns) const {
    for (;;) {
      if (over()) return false;
      const std::int64_t left = begin_ns_ + due_ns - monotonic_ns();
      if (left <= 0) return true;
      std::this_thread::sleep_for(std::chrono::nanoseconds{std::min(left, kLookNs)});
    }
  }

 private:
  static constexpr std::int64_t kLookNs = 100'000'000;  // how soon a stop is noticed

  const std::int64_t begin_ns_;
  const std::int64_t end_ns_;
  const std::function<bool()>& stopped_;
};

}  // namespace penstock
