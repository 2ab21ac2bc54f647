// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "buffer/pinned_memory.hpp"

#include <cstddef>
#include <map>
#include <mutex>
#include <optional>
#include <span>

namespace penstock {

class Slab;

// A page-aligned part of a slab. Goes back to the slab when it ends.
//
// Lifetime: ends before its slab.
class SlabPart {
 public:
  SlabPart() noexcept = default;
  SlabPart(SlabPart&& other) noexcept;
  SlabPart& operator=(SlabPart&& other) noexcept;
  ~SlabPart();

  [[nodiscard]] std::span<std::byte> host() const noexcept { return host_; }
  // Where the device reads the same bytes, or null.
  [[nodiscard]] std::byte* device() const noexcept { return device_; }

 private:
  friend class Slab;
  SlabPart(Slab& slab, std::span<std::byte> host, std::byte* device) noexcept
      : slab_{&slab}, host_{host}, device_{device} {}

  Slab* slab_ = nullptr;
  std::span<std::byte> host_;
  std::byte* device_ = nullptr;
};

// One large pinned mapping, registered once for life, from which streams take their slots. Every
// part starts on a page, so that a slot can be handed to O_DIRECT, to ibv_reg_mr and to the copy
// engine without anyone having to round.
//
// Thread: any; a lock guards the free list. Used when a stream opens or closes, never per frame.
// Lifetime: outlives its parts; destroying it in use stops the process.
class Slab {
 public:
  explicit Slab(PinnedMemory memory);
  Slab(const Slab&) = delete;
  Slab& operator=(const Slab&) = delete;
  ~Slab();

  // The first free extent that is long enough, or nothing. `bytes` is rounded up to whole pages.
  [[nodiscard]] std::optional<SlabPart> take(std::size_t bytes);

  [[nodiscard]] std::size_t free_bytes() const;
  // The longest part that take() would give now: less than free_bytes() when the slab is in pieces.
  [[nodiscard]] std::size_t longest_free() const;

  // The whole allocation, for a transport that registers it with its NIC once.
  [[nodiscard]] const PinnedMemory& memory() const noexcept { return memory_; }

 private:
  friend class SlabPart;
  void give_back(std::span<std::byte> part) noexcept;

  PinnedMemory memory_;
  mutable std::mutex mutex_;
  std::map<std::size_t, std::size_t> free_;  // offset → length; neighbours are always merged
};

}  // namespace penstock
