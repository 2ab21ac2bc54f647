// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace penstock {

// Distance that keeps two threads' data apart. 64 bytes on every CPU this runs on; twice that where
// the adjacent-line prefetcher pairs lines, which costs us nothing we could measure.
inline constexpr std::size_t kCacheLine = 64;

}  // namespace penstock
