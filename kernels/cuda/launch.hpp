// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/job.hpp"

#include <cuda_runtime_api.h>

#include <cstdint>

namespace penstock::kernels::cuda {

// Starts all jobs in one launch on `stream`. `jobs` is readable by the device, which will have read
// it when the launch has run; `largest_payload` (bytes) sizes the grid.
[[nodiscard]] cudaError_t launch(const Job* jobs, std::uint32_t count,
                                 std::uint64_t largest_payload, cudaStream_t stream) noexcept;

}  // namespace penstock::kernels::cuda
