// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#include "buffer/pinned_memory.hpp"

#include "base/log.hpp"

namespace penstock {

PinnedMemory::~PinnedMemory() {
  if (mapping_.bytes().empty()) return;
  if (const std::error_code error = unpin_(mapping_.bytes())) {
    // Unmapping pages that a device still reaches would hand them to someone else. Leak them.
    log_leak("pinned memory", error);
    mapping_.abandon();
  }
}

}  // namespace penstock
