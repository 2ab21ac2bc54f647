// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#include "net/replay/pace.hpp"

#include <fmt/format.h>

#include <charconv>

namespace penstock {
namespace {

constexpr std::int64_t kJumpNs = 10'000'000'000;

}  // namespace

tl::expected<Pace, std::string> parse_pace(std::string_view text) {
  if (text == "recorded") return Pace{1.0};
  if (text == "max") return Pace{0.0};
  double factor = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, factor);
  const bool read = error == std::errc{} && end - stop == 1 && *stop == 'x';
  if (!read || !(factor >= 0.001 && factor <= 1000.0)) {
    return tl::unexpected{fmt::format(
        "\"{}\" is no pace: allowed are recorded, max, or a factor from 0.001x to 1000x", text)};
  }
  return Pace{factor};
}

std::int64_t Pacer::due_ns(std::int64_t time_ns, std::int64_t now_ns) noexcept {
  if (pace_.factor == 0) return now_ns;
  // Unsigned, since a hostile file may hold any two times.
  const auto step = static_cast<std::int64_t>(static_cast<std::uint64_t>(time_ns) -
                                              static_cast<std::uint64_t>(last_time_ns_));
  if (!begun_ || step < 0 || step > kJumpNs) {
    begun_ = true;
    from_time_ns_ = time_ns;
    from_due_ns_ = now_ns;
  }
  last_time_ns_ = time_ns;
  return from_due_ns_ +
         static_cast<std::int64_t>(static_cast<double>(time_ns - from_time_ns_) / pace_.factor);
}

}  // namespace penstock
