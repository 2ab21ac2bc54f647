// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "buffer/host_limits.hpp"

#include <tl/expected.hpp>

#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace penstock {

// How RLIMIT_MEMLOCK is raised in a shell, in systemd, in Docker and in Kubernetes: one line.
[[nodiscard]] std::string memlock_remedies();

// The most memory that may be pinned, and what says so.
struct PinnedLimit {
  std::uint64_t bytes = 0;
  std::string source;  // "memory.pinned_limit", "RLIMIT_MEMLOCK", "a quarter of 62.8 GiB RAM"
  std::string remedy;  // how to raise it
};

// `configured` is memory.pinned_limit; without it, the smaller of a quarter of RAM and
// RLIMIT_MEMLOCK where it binds: where `locks_pages` (the device locks them with mlock) and the
// process may not exceed it. Throws Error when `configured` is more than can be had.
[[nodiscard]] PinnedLimit find_pinned_limit(std::optional<std::uint64_t> configured,
                                            const HostLimits& host, bool locks_pages);

// Who has how much of the pinned memory. The books only: Slab gives the memory itself.
//
// Thread: any. Used when streams open and close, never per frame.
class Budget {
 public:
  struct Share {
    std::string owner;  // the name of a stream, or "listen.memory"
    std::uint64_t bytes = 0;
  };

  explicit Budget(PinnedLimit limit) : limit_{std::move(limit)} {}
  Budget(const Budget&) = delete;
  Budget& operator=(const Budget&) = delete;

  // Books all shares or none. The refusal is the sum written out, without the remedy: "lidar_top
  // 3.1 MiB + camera 66.0 MiB = 69.1 MiB, limit 64.0 MiB (memory.pinned_limit), 5.1 MiB too much".
  [[nodiscard]] tl::expected<void, std::string> reserve(const std::vector<Share>& shares);

  // Gives back all that `owner` has.
  void release(const std::string& owner) noexcept;

  [[nodiscard]] std::uint64_t used() const;
  // Owners by name.
  [[nodiscard]] std::vector<Share> shares() const;
  [[nodiscard]] const PinnedLimit& limit() const noexcept { return limit_; }

 private:
  const PinnedLimit limit_;
  mutable std::mutex mutex_;
  std::map<std::string, std::uint64_t> shares_;
};

}  // namespace penstock
