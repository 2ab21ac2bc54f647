// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/coalesce.hpp"

#include <algorithm>

namespace penstock {

std::size_t coalesce(std::span<Extent> extents, std::size_t most_gap) noexcept {
  if (extents.empty()) return 0;
  std::sort(extents.begin(), extents.end(),
            [](const Extent& a, const Extent& b) { return a.offset < b.offset; });
  std::size_t last = 0;
  for (const Extent& next : extents.subspan(1)) {
    Extent& run = extents[last];
    const std::size_t end = run.offset + run.bytes;
    if (next.offset <= end + most_gap) {
      run.bytes = std::max(end, next.offset + next.bytes) - run.offset;
    } else {
      extents[++last] = next;
    }
  }
  return last + 1;
}

}  // namespace penstock
