// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tl/expected.hpp>

#include <cstdint>
#include <string>
#include <string_view>

namespace penstock {

// How fast a capture is played: `factor` times as fast as it was recorded; 0: as fast as possible.
struct Pace {
  double factor = 1.0;
};

// "recorded", "max", or "Nx" ("2x", "0.5x"), N within 0.001 and 1000. The error is one line that
// says what is allowed.
[[nodiscard]] tl::expected<Pace, std::string> parse_pace(std::string_view text);

// Turns recorded times into due times. A clock that jumps in the capture, back or more than ten
// seconds forward, holds nothing up: from there on the times count anew.
class Pacer {
 public:
  explicit Pacer(Pace pace) noexcept : pace_{pace} {}

  // When a packet recorded at `time_ns` is due, on the clock of `now_ns`.
  [[nodiscard]] std::int64_t due_ns(std::int64_t time_ns, std::int64_t now_ns) noexcept;

 private:
  Pace pace_;
  bool begun_ = false;
  std::int64_t last_time_ns_ = 0;
  std::int64_t from_time_ns_ = 0;  // recorded …
  std::int64_t from_due_ns_ = 0;   // … and when that was due
};

}  // namespace penstock
