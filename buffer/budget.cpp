// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#include "buffer/budget.hpp"

#include "base/error.hpp"
#include "base/human_bytes.hpp"

#include <algorithm>
#include <cstddef>
#include <string_view>

namespace penstock {
namespace {

constexpr std::size_t kOwnersShown = 16;

using Shares = std::map<std::string, std::uint64_t>;

// Saturates: a sum past 64 bits is too much all the same.
std::uint64_t plus(std::uint64_t a, std::uint64_t b) { return a > kNoLimit - b ? kNoLimit : a + b; }

std::uint64_t sum(const Shares& shares) {
  std::uint64_t total = 0;
  for (const auto& [owner, bytes] : shares) total = plus(total, bytes);
  return total;
}

// The largest first: those are the ones to look at.
std::string written_out(const Shares& shares) {
  std::vector<Budget::Share> order;
  for (const auto& [owner, bytes] : shares) order.push_back({owner, bytes});
  std::stable_sort(order.begin(), order.end(), [](const Budget::Share& a, const Budget::Share& b) {
    return a.bytes > b.bytes;
  });
  std::string text;
  std::uint64_t rest = 0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    if (i >= kOwnersShown) {
      rest = plus(rest, order[i].bytes);
    } else {
      text += (text.empty() ? "" : " + ") + order[i].owner + " " + human_bytes(order[i].bytes);
    }
  }
  if (order.size() > kOwnersShown) {
    text += " + " + std::to_string(order.size() - kOwnersShown) + " others " + human_bytes(rest);
  }
  return text;
}

std::string ram_name(const HostLimits& host) {
  return human_bytes(host.ram_bytes) +
         (host.ram_is_cgroup ? " RAM (the cgroup's memory limit)" : " RAM");
}

void require_within(std::uint64_t configured, std::uint64_t limit, const std::string& limit_name,
                    std::string_view remedy) {
  if (configured <= limit) return;
  throw Error{Errc::limit_exceeded,
              "memory.pinned_limit is " + human_bytes(configured) + ", more than " + limit_name,
              remedy};
}

}  // namespace

std::string memlock_remedies() {
  return "to raise RLIMIT_MEMLOCK: in a shell, ulimit -l unlimited; in a systemd unit, "
         "LimitMEMLOCK=infinity; in Docker, --ulimit memlock=-1; in Kubernetes, where a pod has no "
         "field for it, add IPC_LOCK to securityContext.capabilities or set LimitMEMLOCK=infinity "
         "for the container runtime's service on the node";
}

PinnedLimit find_pinned_limit(std::optional<std::uint64_t> configured, const HostLimits& host,
                              bool locks_pages) {
  const bool binds = locks_pages && host.memlock_bytes != kNoLimit && !host.may_exceed_memlock;
  if (configured) {
    if (binds) {
      require_within(*configured, host.memlock_bytes,
                     "RLIMIT_MEMLOCK, " + human_bytes(host.memlock_bytes), memlock_remedies());
    }
    require_within(*configured, host.ram_bytes, "the machine's " + ram_name(host),
                   "lower memory.pinned_limit, or give the machine or the container more memory");
    return {*configured, "memory.pinned_limit", "raise memory.pinned_limit"};
  }
  const std::uint64_t quarter = host.ram_bytes / 4;
  if (binds && host.memlock_bytes < quarter) {
    return {host.memlock_bytes, "RLIMIT_MEMLOCK", memlock_remedies()};
  }
  return {quarter, "a quarter of " + ram_name(host), "set memory.pinned_limit to more"};
}

tl::expected<void, std::string> Budget::reserve(const std::vector<Share>& shares) {
  const std::lock_guard lock{mutex_};
  Shares wanted = shares_;
  for (const Share& share : shares) {
    std::uint64_t& bytes = wanted[share.owner];
    bytes = plus(bytes, share.bytes);
  }
  const std::uint64_t total = sum(wanted);
  if (total > limit_.bytes) {
    return tl::make_unexpected(written_out(wanted) + " = " + human_bytes(total) + ", limit " +
                               human_bytes(limit_.bytes) + " (" + limit_.source + "), " +
                               human_bytes(total - limit_.bytes) + " too much");
  }
  shares_ = std::move(wanted);
  return {};
}

void Budget::release(const std::string& owner) noexcept {
  const std::lock_guard lock{mutex_};
  shares_.erase(owner);
}

std::uint64_t Budget::used() const {
  const std::lock_guard lock{mutex_};
  return sum(shares_);
}

std::vector<Budget::Share> Budget::shares() const {
  const std::lock_guard lock{mutex_};
  std::vector<Share> all;
  for (const auto& [owner, bytes] : shares_) all.push_back({owner, bytes});
  return all;
}

}  // namespace penstock
