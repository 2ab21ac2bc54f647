// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/cacheline.hpp"
#include "base/waker.hpp"
#include "buffer/frame.hpp"
#include "buffer/slab.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>

namespace penstock {

// The slots of one stream, neighbours in memory. Handed out in ring order as far as the leases end
// in order, so that frames that are neighbours in time are neighbours in memory and can travel as
// one transfer.
//
// Thread: acquire() and wake_when_returned() belong to one thread. Leases may end on any thread.
// Lifetime: outlives every lease. Destroying a ring with leases out is a bug; it stops the process,
// since the alternative is a NIC or a GPU writing into memory that has been given away.
class SlotRing {
 public:
  // `part` must hold `slots` times `slot_bytes`, and `slot_bytes` must be whole pages. `owner` is
  // rung when slots come back after wake_when_returned(); it must outlive the ring.
  SlotRing(SlabPart part, std::uint32_t slots, std::size_t slot_bytes, Waker& owner);
  SlotRing(const SlotRing&) = delete;
  SlotRing& operator=(const SlotRing&) = delete;
  ~SlotRing();

  // An empty writer means that the consumers hold every slot. That is the server's only form of
  // back-pressure: the sender gets no credit and waits, or the frame is dropped and counted.
  [[nodiscard]] FrameWriter acquire() noexcept;

  // Rings `owner` at the next return. Try acquire() once more after calling it: a slot
  // may have come back just before.
  void wake_when_returned() noexcept;

  [[nodiscard]] std::uint32_t slots() const noexcept { return slots_count_; }
  [[nodiscard]] std::size_t slot_bytes() const noexcept { return slot_bytes_; }

  // Leases and writers out. Exact on the acquiring thread as far as its own acquires go; returns
  // on other threads show up a little later.
  [[nodiscard]] std::uint32_t outstanding() const noexcept {
    return outstanding_.load(std::memory_order_acquire);
  }

 private:
  friend class FrameRef;
  friend class FrameWriter;
  void reclaim(detail::FrameSlot& slot) noexcept;

  SlabPart part_;
  const std::uint32_t slots_count_;
  const std::size_t slot_bytes_;
  Waker& owner_;
  std::unique_ptr<detail::FrameSlot[]> slots_;
  detail::FrameSlot* free_ = nullptr;  // acquiring thread only

  // Returned slots. Any thread pushes one; the acquiring thread takes the whole list at once, so
  // no one ever pops a single node and the ABA problem cannot arise.
  alignas(kCacheLine) std::atomic<detail::FrameSlot*> returned_{nullptr};
  std::atomic<std::uint32_t> outstanding_{0};
  std::atomic<bool> wake_{false};
};

}  // namespace penstock
