// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "net/reactor.hpp"
#include "net/stream_host.hpp"
#include "tests/support/plain_memory.hpp"

#include <memory>
#include <string>
#include <vector>

namespace penstock::test {

// A server's part of a native session, without a server: every stream gets `slots` slots, and its
// frames stay in `ready` until the test takes them.
class FakeStreamHost final : public StreamHost {
 public:
  struct Opened {
    Opened(Slab& slab, Reactor& reactor, std::uint32_t slots_wanted, std::size_t slot_bytes)
        : slots{*slab.take(slots_wanted * slot_bytes), slots_wanted, slot_bytes, reactor.waker()},
          ready{slots_wanted} {
      port = {.id = 1, .slots = &slots, .account = &account, .ready = &ready, .lane = &lane};
    }
    StreamAccount account;
    Waker lane;
    SlotRing slots;
    FrameRing ready;
    StreamPort port;
    bool closed = false;
  };

  FakeStreamHost(Reactor& reactor, std::uint32_t slots) : reactor_{reactor}, slots_{slots} {}

  tl::expected<StreamPort*, Refusal> open_stream(const wire::OpenStream& request) override {
    if (!refuse_with.empty()) {
      return tl::unexpected{Refusal{wire::RefusalCode::no_memory, refuse_with}};
    }
    opened.push_back(std::make_unique<Opened>(slab_, reactor_, slots_,
                                              round_up_to_page(request.max_frame_bytes)));
    return &opened.back()->port;
  }

  void close_stream(StreamPort& port) noexcept override {
    for (const auto& stream : opened) stream->closed |= &stream->port == &port;
  }

  std::string refuse_with;

 private:
  Reactor& reactor_;
  std::uint32_t slots_;
  Slab slab_{plain_memory(1 << 20)};

 public:
  std::vector<std::unique_ptr<Opened>> opened;  // below the slab that they lie in
};

}  // namespace penstock::test
