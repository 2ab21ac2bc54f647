// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/device.hpp"
#include "kernels/job.hpp"

namespace penstock {

// Where a device finds the frame, its result and its sums.
struct JobAddresses {
  const std::byte* payload = nullptr;
  std::byte* result = nullptr;    // null: the recipe makes no result
  std::uint64_t* sums = nullptr;  // two of them
};

[[nodiscard]] kernels::Job job_of(const Work& work, const JobAddresses& at) noexcept;

}  // namespace penstock
