// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

namespace penstock {

// Holds one kind of log line to one every ten seconds, however often its cause comes: what
// strangers send must not fill a disk.
//
// Thread: one.
class LogLimit {
 public:
  // How often the line was held back since it was last let through, when it may be written now.
  [[nodiscard]] std::optional<std::uint64_t> admit(std::int64_t now_ns) noexcept {
    if (now_ns < next_ns_) {
      ++held_back_;
      return std::nullopt;
    }
    next_ns_ = now_ns + kIntervalNs;
    const std::uint64_t held = held_back_;
    held_back_ = 0;
    return held;
  }

 private:
  static constexpr std::int64_t kIntervalNs = 10'000'000'000;
  std::int64_t next_ns_ = 0;
  std::uint64_t held_back_ = 0;
};

}  // namespace penstock
