// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/waker.hpp"
#include "buffer/delivered_frame.hpp"
#include "buffer/slot_ring.hpp"
#include "buffer/stream_account.hpp"

#include <cassert>
#include <utility>

namespace penstock {

// Where a transport puts the frames of one stream: slots to fill, books to keep, and the ring that
// leads to the lane.
//
// Thread: the reactor that owns the stream.
// Lifetime: kept by the server from the opening of the stream until its last lease has ended.
struct StreamPort {
  StreamId id = 0;
  SlotRing* slots = nullptr;
  StreamAccount* account = nullptr;  // the transport writes `receiving`
  FrameRing* ready = nullptr;        // holds at least as many frames as there are slots
  Waker* lane = nullptr;
  bool deliver_partial = true;

  // Hands a filled slot to the lane. The ring has room for every slot of the stream, so it cannot
  // be full.
  void publish(FrameWriter writer, const FrameInfo& info) noexcept {
    const bool pushed = ready->try_push(std::move(writer).publish(info));
    assert(pushed);
    (void)pushed;
    lane->notify();
  }
};

}  // namespace penstock
