// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#include "server/memory_plan.hpp"

#include "base/error.hpp"
#include "buffer/mapping.hpp"
#include "server/stream_plan.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace penstock {
namespace {

// Enough for a 4K camera and some small streams. More is asked for with listen.memory: memory that
// nobody sends into is memory taken from others.
constexpr std::uint64_t kDefaultPoolBytes = 512u << 20;

// Nothing is pinned on the host device when the operator said so.
bool locks_pages(const Config& config) {
  return config.device.kind != DeviceChoice::Kind::cuda && config.memory.lock;
}

// A stream whose frames have a size that the configuration tells. Others live in the pool.
bool sized(const StreamConfig& stream) { return stream.udp || stream.width != 0; }

std::size_t bytes_of(const StreamConfig& stream) {
  if (stream.udp) return plan(stream).bytes();
  const wire::OpenStream request{
      .name = stream.name,
      .kind = stream.format,
      .max_frame_bytes = image_bytes(stream.format, stream.width, stream.height),
      .width = stream.width,
      .height = stream.height,
      .slots_wanted = stream.slots};
  return plan(request, stream.checksum).bytes();
}

}  // namespace

MemoryPlan plan_memory(const Config& config, const HostLimits& host) {
  MemoryPlan plan{.limit =
                      find_pinned_limit(config.memory.pinned_limit, host, locks_pages(config))};
  std::vector<Budget::Share> shares;
  for (const StreamConfig& stream : config.streams) {
    if (!sized(stream)) continue;
    shares.push_back({stream.name, bytes_of(stream)});
    plan.declared_bytes += shares.back().bytes;
  }
  if (config.listen && config.listen->memory) {
    shares.push_back({"listen.memory", *config.listen->memory});
  }

  Budget budget{plan.limit};
  if (const auto fits = budget.reserve(shares); !fits) {
    throw Error{Errc::limit_exceeded, "streams do not fit the pinned memory: " + fits.error(),
                plan.limit.remedy};
  }
  if (config.listen) {
    const std::uint64_t left = plan.limit.bytes - plan.declared_bytes;
    plan.pool_bytes =
        config.listen->memory.value_or(std::min(left, kDefaultPoolBytes)) / kPageBytes * kPageBytes;
  }
  return plan;
}

}  // namespace penstock
