// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "buffer/pinned_memory.hpp"

#include <cstddef>
#include <system_error>

namespace penstock::test {

// Memory for tests that need slots and no device: mapped, not locked, with device() == host().
inline PinnedMemory plain_memory(std::size_t bytes) {
  Mapping mapping{bytes};
  std::byte* const base = mapping.bytes().data();
  return {std::move(mapping), base,
          [](std::span<std::byte>) noexcept { return std::error_code{}; }};
}

}  // namespace penstock::test
