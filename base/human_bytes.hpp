// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

namespace penstock {

// "512 B", "3.1 MiB": for people. Rounded to one decimal.
[[nodiscard]] std::string human_bytes(std::uint64_t bytes);

}  // namespace penstock
