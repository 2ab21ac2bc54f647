// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace penstock {

// The word that a person who typed `word` most likely meant, or an empty one when nothing is near.
[[nodiscard]] std::string nearest(std::string_view word, const std::vector<std::string>& known);

// " (did you mean \"port\"?)", or nothing.
[[nodiscard]] std::string did_you_mean(std::string_view word,
                                       const std::vector<std::string>& known);

// Words that come from outside, made fit for one line of a message: control characters become '?',
// and what is long is cut.
[[nodiscard]] std::string printable(std::string_view text);

}  // namespace penstock
