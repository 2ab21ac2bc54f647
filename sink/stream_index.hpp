// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "buffer/frame_info.hpp"

#include <array>
#include <atomic>
#include <cassert>
#include <cstddef>

namespace penstock {

// Finds what belongs to a stream, on the lane, while streams come and go on the reactor.
//
// Thread: add() and remove() on one thread, find() on another. An entry may be removed once the
// stream's last lease has ended: nobody has a frame then with whose id it could be looked up.
// Cost: no locks, no allocation. Ids count up, so that an entry is at its home or next to it unless
// streams live very unequally long.
template <class Entry>
class StreamIndex {
 public:
  static constexpr std::size_t kMost = 4096;  // streams open at a time

  // False when too many are open.
  [[nodiscard]] bool add(StreamId id, Entry* entry) noexcept {
    assert(id != kFree);
    Place* const place = look_for(kFree, id);
    if (place == nullptr) return false;
    place->entry = entry;
    place->id.store(id, std::memory_order_release);
    return true;
  }

  // Null when it was never added.
  [[nodiscard]] Entry* find(StreamId id) noexcept {
    Place* const place = look_for(id, id);
    return place == nullptr ? nullptr : place->entry;
  }

  void remove(StreamId id) noexcept {
    if (Place* const place = look_for(id, id)) place->id.store(kFree, std::memory_order_release);
  }

 private:
  static constexpr StreamId kFree = 0;  // no stream has it

  struct Place {
    std::atomic<StreamId> id{kFree};
    Entry* entry = nullptr;
  };

  // The first place from the home of `id` on that holds `wanted`.
  [[nodiscard]] Place* look_for(StreamId wanted, StreamId id) noexcept {
    for (std::size_t i = 0; i < kMost; ++i) {
      Place& place = places_[(id + i) % kMost];
      if (place.id.load(std::memory_order_acquire) == wanted) return &place;
    }
    return nullptr;
  }

  std::array<Place, kMost> places_{};
};

}  // namespace penstock
