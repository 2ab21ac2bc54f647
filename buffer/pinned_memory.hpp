// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "buffer/mapping.hpp"

#include <cstddef>
#include <span>
#include <system_error>
#include <utility>

namespace penstock {

// Page-locked memory that the NIC may write and the GPU may read. Both addresses name the same
// bytes; `device()` is null where kernels cannot read this memory in place.
//
// Knows how to give itself back and nothing else: how it was pinned is the business of the device
// that made it (gpu/cuda or gpu/host), which keeps CUDA out of buffer/.
//
// Lifetime: ends before the device that pinned it.
class PinnedMemory {
 public:
  using Unpin = std::error_code (*)(std::span<std::byte>) noexcept;

  PinnedMemory(Mapping mapping, std::byte* device, Unpin unpin) noexcept
      : mapping_{std::move(mapping)}, device_{device}, unpin_{unpin} {}
  PinnedMemory(PinnedMemory&& other) noexcept = default;
  PinnedMemory& operator=(PinnedMemory&&) = delete;
  ~PinnedMemory();

  [[nodiscard]] std::span<std::byte> host() const noexcept { return mapping_.bytes(); }
  [[nodiscard]] std::byte* device() const noexcept { return device_; }
  [[nodiscard]] const Mapping& mapping() const noexcept { return mapping_; }

 private:
  Mapping mapping_;
  std::byte* device_;
  Unpin unpin_;
};

}  // namespace penstock
