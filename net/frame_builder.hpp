// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/log_limit.hpp"
#include "net/formats/assembler.hpp"
#include "net/stream_port.hpp"

#include <array>
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
  // that can wait does so when this is false: it will be woken as SlotRing::wake_when_returned()
  // says. One that cannot goes on, and the packets are dropped and counted.
  [[nodiscard]] bool ready() noexcept;

  // Where the next packet is to be written: exactly packet_bytes() long. Never empty: without a
  // slot it is scratch memory, and the packet will be counted as dropped.
  [[nodiscard]] std::span<std::byte> place() noexcept;
  [[nodiscard]] std::size_t packet_bytes() const noexcept { return packet_bytes_; }
  // The next packet may be needed twice: peek at it first.
  [[nodiscard]] bool seam_near() const noexcept { return assembler_->seam_near(); }

  enum class Next : std::uint8_t {
    packet,  // the packet has found its place
    again,   // it belongs to the next frame: write it at place() once more, then commit_again(), or
             // let the builder copy it with copy_across()
  };
  // A packet of `bytes` was written at place(). One that is shorter or longer (then cut off) than
  // packet_bytes() is rejected.
  [[nodiscard]] Next commit(std::size_t bytes, std::int64_t arrived_ns) noexcept;
  void commit_again() noexcept;
  void copy_across() noexcept;

  // A datagram for the side port, and one that was refused before it was written.
  void commit_side(std::span<const std::byte> packet) noexcept;
  void reject(PacketReject cause, std::size_t bytes) noexcept;

  // Nothing came for a while, or nothing will come any more: publishes what is being filled as
  // partial, and holds no slot any more.
  void flush() noexcept;
  [[nodiscard]] bool filling() const noexcept { return open_; }

 private:
  [[nodiscard]] StreamAccount::Receiving& books() const noexcept {
    return port_.account->receiving;
  }
  [[nodiscard]] Next place_in_frame(const PacketVerdict& verdict) noexcept;
  void refuse(PacketReject cause, std::size_t bytes) noexcept;
  void count_packet(bool placed) noexcept;
  void begin(std::uint16_t skip_head, bool torn) noexcept;
  void close(std::uint16_t skip_tail) noexcept;
  void begin_next() noexcept;

  const std::string name_;
  StreamPort& port_;
  const std::unique_ptr<Assembler> assembler_;
  const std::size_t packet_bytes_;
  std::vector<std::byte> scratch_;  // where packets go that found no slot

  // The frame that is being filled. Its slot is taken before its first packet is known to be one.
  FrameWriter slot_;
  bool open_ = false;
  bool torn_ = false;  // some of it never came
  std::size_t packets_ = 0;
  std::uint16_t skip_head_ = 0;
  std::int64_t first_arrived_ns_ = 0;
  std::int64_t first_sensor_ns_ = kNoSensorTime;
  std::uint64_t sequence_ = 0;

  // Between Next::again and the answer to it.
  FrameWriter next_slot_;
  bool crossing_ = false;
  PacketVerdict crossing_verdict_{};

  std::int64_t arrived_ns_ = 0;  // of the packet in hand
  std::int64_t sensor_ns_ = kNoSensorTime;
  std::array<LogLimit, Tally<PacketReject>::kCauses> limits_{};
};

}  // namespace penstock
