// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tl/expected.hpp>

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

}  // namespace penstock
