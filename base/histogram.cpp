// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#include "base/histogram.hpp"

#include <algorithm>
#include <cmath>

namespace penstock {

std::uint64_t Histogram::quantile(double fraction) const noexcept {
  const std::uint64_t total = count();
  if (total == 0) return 0;
  const auto wanted = std::max<std::uint64_t>(
      1, static_cast<std::uint64_t>(std::ceil(fraction * static_cast<double>(total))));
  std::uint64_t seen = 0;
  for (std::size_t bucket = 0; bucket < kBuckets; ++bucket) {
    seen += buckets_[bucket].get();
    if (seen >= wanted) return std::min(upper_bound(bucket), max());
  }
  return max();
}

}  // namespace penstock
