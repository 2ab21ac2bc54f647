// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "buffer/frame_info.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

namespace penstock {

class SlotRing;

namespace detail {

struct FrameSlot {
  std::span<std::byte> host;
  std::byte* device = nullptr;
  FrameInfo info;
  std::atomic<std::uint32_t> leases{0};
  SlotRing* ring = nullptr;
  FrameSlot* next_free = nullptr;
};

}  // namespace detail

// A read-only lease on one frame. The slot goes back to its ring when the last lease ends, on
// whichever thread that happens.
//
// Thread: each FrameRef belongs to one thread at a time; different leases on the same frame may be
// read concurrently, because nobody can write a frame once it has been published.
class FrameRef {
 public:
  FrameRef() noexcept = default;
  FrameRef(FrameRef&& other) noexcept : slot_{std::exchange(other.slot_, nullptr)} {}
  FrameRef& operator=(FrameRef&& other) noexcept {
    const FrameRef ended{std::exchange(slot_, std::exchange(other.slot_, nullptr))};
    return *this;
  }
  ~FrameRef();

  // Spelled out and not a copy constructor: a second lease keeps a slot from the wire for longer,
  // so taking one should be visible in review.
  [[nodiscard]] FrameRef share() const noexcept;

  explicit operator bool() const noexcept { return slot_ != nullptr; }
  // The rest needs a lease: undefined on an empty reference.
  [[nodiscard]] const FrameInfo& info() const noexcept { return slot_->info; }
  [[nodiscard]] std::span<const std::byte> bytes() const noexcept {
    return slot_->host.first(slot_->info.bytes);
  }
  // Where the device reads bytes(), or null where it cannot read them in place.
  [[nodiscard]] const std::byte* device() const noexcept { return slot_->device; }

 private:
  friend class FrameWriter;
  explicit FrameRef(detail::FrameSlot* slot) noexcept : slot_{slot} {}

  detail::FrameSlot* slot_ = nullptr;
};

// The one mutable lease on a slot, held while the NIC, the socket or a kernel fills it. publish()
// consumes it: from then on the frame is immutable. Dropping it returns the slot.
class FrameWriter {
 public:
  FrameWriter() noexcept = default;
  FrameWriter(FrameWriter&& other) noexcept : slot_{std::exchange(other.slot_, nullptr)} {}
  FrameWriter& operator=(FrameWriter&& other) noexcept {
    const FrameWriter ended{std::exchange(slot_, std::exchange(other.slot_, nullptr))};
    return *this;
  }
  ~FrameWriter();

  explicit operator bool() const noexcept { return slot_ != nullptr; }
  [[nodiscard]] std::span<std::byte> bytes() const noexcept { return slot_->host; }
  [[nodiscard]] std::byte* device() const noexcept { return slot_->device; }

  // `info.bytes` must not exceed the slot.
  [[nodiscard]] FrameRef publish(const FrameInfo& info) && noexcept {
    slot_->info = info;
    return FrameRef{std::exchange(slot_, nullptr)};
  }

 private:
  friend class SlotRing;
  explicit FrameWriter(detail::FrameSlot* slot) noexcept : slot_{slot} {}

  detail::FrameSlot* slot_ = nullptr;
};

}  // namespace penstock
