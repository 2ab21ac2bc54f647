// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/job.hpp"

#include <span>

namespace penstock::kernels::cpu {

// Does the jobs one after the other on this thread. Allocates nothing.
void run(std::span<const Job> jobs) noexcept;

}  // namespace penstock::kernels::cpu
