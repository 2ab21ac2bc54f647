// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "buffer/frame_info.hpp"
#include "buffer/stream_account.hpp"

#include <cstddef>
#include <cstdint>
#include <span>

namespace penstock {

// What a packet means for the frames of its stream.
struct PacketVerdict {
  enum class Kind : std::uint8_t {
    data,    // belongs to a frame
    late,    // belongs to a frame that is closed
    reject,  // not a packet of this format: see `cause`
  };
  Kind kind = Kind::reject;
  PacketReject cause = PacketReject::malformed;

  // Where a new frame begins: at the start of this packet, inside it (it then belongs to both
  // frames), or not here.
  enum class Seam : std::uint8_t { none, at_start, inside };
  Seam seam = Seam::none;
  std::uint16_t blocks_before_seam = 0;  // inside: of the old frame
  std::uint16_t blocks_after_seam = 0;   // inside: of the new one

  bool gap_before = false;       // packets are missing between the last one and this one
  bool head_missing = false;     // at a seam: and so is the beginning of the new frame
  std::uint64_t known_lost = 0;  // packets that are now known never to have come
  std::int64_t sensor_time_ns = kNoSensorTime;
};

// The rule of one sensor format that appends whole packets to a frame: which frame a packet belongs
// to, and what is missing. Trusts nothing in the packet.
//
// Thread: the reactor of its stream. Cost: allocates nothing after construction, reads only
// headers.
class Assembler {
 public:
  Assembler() = default;
  Assembler(const Assembler&) = delete;
  Assembler& operator=(const Assembler&) = delete;
  virtual ~Assembler() = default;

  [[nodiscard]] virtual std::size_t packet_bytes() const noexcept = 0;  // of a data packet
  [[nodiscard]] virtual std::size_t most_packets() const noexcept = 0;  // in a frame

  // Judges the next packet in order of arrival.
  [[nodiscard]] virtual PacketVerdict judge(std::span<const std::byte> packet) noexcept = 0;
  // The next packet may hold a seam: its bytes may be needed in two frames.
  [[nodiscard]] virtual bool seam_near() const noexcept = 0;
  // Whether a side packet (position, telemetry) is one of this sensor.
  [[nodiscard]] virtual bool is_side_packet(std::span<const std::byte> packet) const noexcept = 0;
  // The sensor was silent or the source has ended: packets lost that no later packet will reveal.
  [[nodiscard]] virtual std::uint64_t end_of_run() noexcept = 0;
};

}  // namespace penstock
