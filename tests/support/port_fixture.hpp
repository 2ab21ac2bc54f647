// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "buffer/slab.hpp"
#include "buffer/slot_ring.hpp"
#include "buffer/stream_account.hpp"
#include "net/stream_port.hpp"
#include "tests/support/plain_memory.hpp"

#include <optional>

namespace penstock::test {

// A stream as a transport sees it, with nobody behind it: frames stay in `ready` until the test
// takes them.
struct PortFixture {
  PortFixture(std::uint32_t slot_count, std::size_t slot_bytes, Waker* owner = nullptr)
      : slab{plain_memory(slot_count * round_up_to_page(slot_bytes))},
        slots{*slab.take(slot_count * round_up_to_page(slot_bytes)), slot_count,
              round_up_to_page(slot_bytes), owner != nullptr ? *owner : own_waker},
        ready{slot_count},
        port{.id = 7, .slots = &slots, .account = &account, .ready = &ready, .lane = &lane} {}

  [[nodiscard]] std::optional<FrameRef> take() { return ready.try_pop(); }

  // What a lane would do: every published frame counts as delivered.
  void deliver_all() {
    while (const auto frame = ready.try_pop()) account.decoding.frames_delivered.add();
  }

  [[nodiscard]] StreamAccount::Receiving& books() { return account.receiving; }

  StreamAccount account;
  Waker lane;
  Waker own_waker;
  Slab slab;
  SlotRing slots;
  FrameRing ready;
  StreamPort port;
};

}  // namespace penstock::test
