// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <limits>
#include <string>

namespace penstock {

inline constexpr std::uint64_t kNoLimit = std::numeric_limits<std::uint64_t>::max();

// What this machine, or the container around us, lets us pin.
struct HostLimits {
  std::uint64_t ram_bytes = kNoLimit;  // a cgroup's memory limit where that is lower
  bool ram_is_cgroup = false;
  std::uint64_t memlock_bytes = kNoLimit;  // RLIMIT_MEMLOCK
  bool may_exceed_memlock = false;         // CAP_IPC_LOCK, as the OS will judge it
};

// Facts that cannot be read are left at "no limit". `root` stands before /proc and /sys; tests set
// it.
[[nodiscard]] HostLimits read_host_limits(const std::string& root = {});

}  // namespace penstock
