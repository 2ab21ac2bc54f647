// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#include "buffer/slot_ring.hpp"

#include "base/error.hpp"

#include <spdlog/spdlog.h>

#include <cassert>
#include <exception>
#include <utility>

namespace penstock {

FrameRef::~FrameRef() {
  if (slot_ == nullptr) return;
  // acq_rel: every read made through any lease happens before the slot is written again.
  if (slot_->leases.fetch_sub(1, std::memory_order_acq_rel) == 1) slot_->ring->reclaim(*slot_);
}

FrameRef FrameRef::share() const noexcept {
  // relaxed: we hold a lease, so the count cannot reach zero underneath us.
  slot_->leases.fetch_add(1, std::memory_order_relaxed);
  return FrameRef{slot_};
}

FrameWriter::~FrameWriter() {
  if (slot_ != nullptr) slot_->ring->reclaim(*slot_);
}

SlotRing::SlotRing(SlabPart part, std::uint32_t slots, std::size_t slot_bytes, Waker& owner)
    : part_{std::move(part)},
      slots_count_{slots},
      slot_bytes_{slot_bytes},
      owner_{owner},
      slots_{std::make_unique<detail::FrameSlot[]>(slots)} {
  if (slots == 0 || slot_bytes == 0 || slot_bytes % kPageBytes != 0 ||
      part_.host().size() / slot_bytes < slots) {
    throw Error{Errc::invalid_config, "slot ring: slots do not fit their memory",
                "a slot is a multiple of 4096 bytes"};
  }
  for (std::uint32_t i = slots; i-- > 0;) {
    detail::FrameSlot& slot = slots_[i];
    slot.host = part_.host().subspan(i * slot_bytes, slot_bytes);
    slot.device = part_.device() == nullptr ? nullptr : part_.device() + i * slot_bytes;
    slot.ring = this;
    slot.next_free = std::exchange(free_, &slot);
  }
}

SlotRing::~SlotRing() {
  // acquire: pairs with reclaim(), whose last touch of the ring is the release there.
  if (const auto leases = outstanding(); leases != 0) {
    spdlog::critical("slot ring destroyed in use leases={}", leases);
    std::terminate();
  }
}

FrameWriter SlotRing::acquire() noexcept {
  if (free_ == nullptr) {
    // The list is newest first; turned round so that slots are used again in the order in which
    // they came back.
    detail::FrameSlot* newest = returned_.exchange(nullptr, std::memory_order_acquire);
    while (newest != nullptr) {
      detail::FrameSlot* const older = newest->next_free;
      newest->next_free = std::exchange(free_, newest);
      newest = older;
    }
  }
  if (free_ == nullptr) return {};
  detail::FrameSlot* const slot = std::exchange(free_, free_->next_free);
  slot->leases.store(1, std::memory_order_relaxed);
  outstanding_.fetch_add(1, std::memory_order_relaxed);
  return FrameWriter{slot};
}

void SlotRing::wake_when_returned() noexcept {
  // The fences here and in reclaim(): either the returner sees the wish, or we see its slot.
  wake_.store(true, std::memory_order_relaxed);
  std::atomic_thread_fence(std::memory_order_seq_cst);
}

void SlotRing::reclaim(detail::FrameSlot& slot) noexcept {
  // Read before the slot is given away: after the last fetch_sub the ring may be gone.
  Waker& owner = owner_;
  slot.next_free = returned_.load(std::memory_order_relaxed);
  while (!returned_.compare_exchange_weak(slot.next_free, &slot, std::memory_order_release,
                                          std::memory_order_relaxed)) {
  }
  std::atomic_thread_fence(std::memory_order_seq_cst);
  const bool wake = wake_.load(std::memory_order_relaxed) && wake_.exchange(false);
  outstanding_.fetch_sub(1, std::memory_order_release);
  if (wake) owner.notify();
}

}  // namespace penstock
