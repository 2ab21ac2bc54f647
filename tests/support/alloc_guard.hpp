// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace penstock::test {

// How often this thread has called operator new since it began. Compare before and after: a hot
// path adds nothing.
[[nodiscard]] std::uint64_t allocations_on_this_thread() noexcept;

}  // namespace penstock::test
