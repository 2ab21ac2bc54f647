// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace penstock {

// The slab is registered with the GPU in parts of this size, from its beginning: one registration
// of hundreds of GiB fails on current drivers, and a long one holds locks that other processes wait
// for.
inline constexpr std::size_t kRegistrationBytes = std::size_t{1} << 30;

}  // namespace penstock
