// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "server/config.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace penstock {

inline constexpr std::size_t kMaxStreams = 4096;
inline constexpr std::uint32_t kMaxImageSide = 16384;
inline constexpr std::uint32_t kMaxSlots = 4096;

// A rule that a configuration breaks.
struct ConfigProblem {
  std::string key;  // spelled as in the file: "streams[0].width"; empty: the file as a whole
  std::string problem;
  // Another key that the rule looked at. When that one could not be read, the rule means nothing.
  std::string judged_by;
};

// The rules that span keys or that one key's type cannot say; none of them needs facts about the
// machine. Every broken rule at once.
[[nodiscard]] std::vector<ConfigProblem> validate(const Config& config);

}  // namespace penstock
