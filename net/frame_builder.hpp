// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "net/formats/assembler.hpp"
#include "net/stream_port.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace penstock {

// Puts the packets of one sensor into the slots of its stream, wherever they come from. The source
// writes each packet where place() says, straight from the socket or the file, and then commits it;
// a packet that belongs to two frames is written twice from its source, never copied from slot to
// slot unless the source cannot repeat it, which is counted.
//
// Thread: the reactor. Cost: allocates nothing after construction; logs rejects at a limited rate.
class FrameBuilder {
 public:
  FrameBuilder(std::string name, StreamPort& port, std::unique_ptr<Assembler> assembler);
  ~FrameBuilder();

  // True when the next packet will find a slot, and a second one if it may hold a seam. A source
  // that can wait does so when this is false (SlotRing::wake_when_returned() was called, ask once
  // more after it); one that cannot goes on, and the packets are dropped and counted.
  [[nodiscard]] bool ready() noexcept;

  // Where the next packet is to be written: exactly packet_bytes() long. Never empty: without a
  // slot it is scratch memory, and the packet will be counted as dropped.
  [[nodiscard]] std::span<std::byte> place() noexcept;
  [[nodiscard]] std::size_t packet_bytes() const noexcept;
  // The next packet may be needed twice: peek at it first.
  [[nodiscard]] bool seam_near() const noexcept;

  enum class Next : std::uint8_t {
    packet,  // the packet has found its place
    again,  // it belongs to the next frame too: write it at place() once more, then commit_again(),
            // or let the builder copy it with copy_across()
  };
  // A packet of `bytes` was written at place(); `bytes` may be less or (cut off) more than
  // packet_bytes(), which rejects it.
  [[nodiscard]] Next commit(std::size_t bytes, std::int64_t arrived_ns) noexcept;
  void commit_again() noexcept;
  void copy_across() noexcept;

  // A datagram for the side port, or one that could not even be received whole.
  void commit_side(std::span<const std::byte> packet) noexcept;
  void reject(PacketReject cause, std::size_t bytes) noexcept;

  // Nothing came for a while, or nothing will come any more: publishes what is being filled.
  void flush() noexcept;
  [[nodiscard]] bool filling() const noexcept;

 private:
  struct Filling;
  std::unique_ptr<Filling> filling_;
};

}  // namespace penstock
