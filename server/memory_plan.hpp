// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "buffer/budget.hpp"
#include "server/config.hpp"

#include <cstddef>
#include <cstdint>

namespace penstock {

// How the one slab is to be sized.
struct MemoryPlan {
  PinnedLimit limit;
  std::size_t declared_bytes = 0;  // streams whose frames have a known size
  std::size_t pool_bytes = 0;      // set aside for streams that clients open

  [[nodiscard]] std::size_t total() const noexcept { return declared_bytes + pool_bytes; }
};

// Throws Error with the sum written out when the declared streams, or an explicit `listen.memory`,
// do not fit the limit.
[[nodiscard]] MemoryPlan plan_memory(const Config& config, const HostLimits& host);

}  // namespace penstock
