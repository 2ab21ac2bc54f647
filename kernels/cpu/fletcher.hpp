// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/fletcher.hpp"

namespace penstock::kernels::cpu {

// The sums of a whole payload, as fast as one core reads memory.
[[nodiscard]] FletcherSums fletcher(const std::byte* payload, std::uint64_t bytes) noexcept;

}  // namespace penstock::kernels::cpu
