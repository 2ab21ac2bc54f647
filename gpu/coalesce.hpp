// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>

namespace penstock {

// A part of a slab.
struct Extent {
  std::size_t offset = 0;
  std::size_t bytes = 0;
};

// Merges neighbours, so that frames that lie side by side travel as one transfer: sorts `extents`
// and joins those that touch or lie at most `most_gap` bytes apart (copying a gap costs less than
// another call). How many are left, at the front. Allocates nothing.
[[nodiscard]] std::size_t coalesce(std::span<Extent> extents, std::size_t most_gap) noexcept;

}  // namespace penstock
