// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/cacheline.hpp"
#include "base/counter.hpp"
#include "base/histogram.hpp"
#include "buffer/frame_info.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace penstock {

// Why a frame that the wire brought was not delivered. A closed list: every frame that is not
// delivered is counted under exactly one of these.
enum class FrameDrop : std::uint8_t {
  no_slot,         // the consumers held every slot when it began
  aborted,         // its sender went away in the middle of it
  crc_mismatch,    // its payload is not what its sender sent
  partial_policy,  // part of it never came and the stream asks for whole frames only
  device_failed,   // the device could not decode it
  shutdown,        // the server ended before it was decoded
  count_,          // keep last
};

// Why a packet was refused before it was placed in a frame.
enum class PacketReject : std::uint8_t {
  unexpected_length,  // not the size that this sensor sends: another sensor, another mode
  malformed,          // the right size, and contents that contradict the format
  truncated,     // longer than the largest packet of the format (MSG_TRUNC), or cut in a capture
  bad_fragment,  // an IP fragment that overlaps, never completes or does not fit
  other_sender,  // a second sensor, or a stranger, sends to this sensor's port
  count_,        // keep last
};

// Why a well-formed packet was not placed in a frame.
enum class PacketDrop : std::uint8_t {
  no_slot,            // its frame found no free slot
  before_first_scan,  // it came before the first turn began
  late,               // its frame was closed before it came
  count_,             // keep last
};

[[nodiscard]] std::string_view name(FrameDrop cause) noexcept;
[[nodiscard]] std::string_view name(PacketReject cause) noexcept;
[[nodiscard]] std::string_view name(PacketDrop cause) noexcept;

// Counts by cause.
template <class Cause>
class Tally {
 public:
  static constexpr std::size_t kCauses = static_cast<std::size_t>(Cause::count_);

  void add(Cause cause, std::uint64_t n = 1) noexcept {
    counters_[static_cast<std::size_t>(cause)].add(n);
  }
  [[nodiscard]] std::uint64_t get(Cause cause) const noexcept {
    return counters_[static_cast<std::size_t>(cause)].get();
  }
  [[nodiscard]] std::uint64_t sum() const noexcept {
    std::uint64_t total = 0;
    for (const Counter& counter : counters_) total += counter.get();
    return total;
  }

 private:
  std::array<Counter, kCauses> counters_{};
};

// The books of one stream. They balance once the stream has drained:
//
//   frames:   completed = delivered + Σ dropped (receiving) + Σ dropped (decoding)
//   packets:  received = placed + side + Σ rejected + Σ dropped
//
// Thread: the reactor that owns the stream writes `receiving`, the lane writes `decoding`, anyone
// reads.
struct StreamAccount {
  struct alignas(kCacheLine) Receiving {
    Counter frames_completed;  // every frame that began, however it ended: whole, partial, dropped
    Counter frames_partial;    // of those: part of it never came
    Tally<FrameDrop> frames_dropped;
    Counter frames_unsent;  // the sender's own count of frames it dropped for want of credit

    Counter packets_received;  // datagrams, each once, whatever became of them
    Counter packets_placed;    // now part of a frame
    Counter packets_side;      // recognised, and not part of frames (GPS/position packets)
    Counter packets_lost;      // never came, as told by gaps in sequence or time
    Tally<PacketReject> packets_rejected;
    Tally<PacketDrop> packets_dropped;
    Counter receive_queue_overflows;  // datagrams the OS dropped before we saw them (SO_RXQ_OVFL)

    Counter bytes_received;       // payload bytes of everything in packets_received, or of frames
    Counter bytes_copied_by_cpu;  // moved in user space after they had landed
  } receiving;

  struct alignas(kCacheLine) Decoding {
    Counter frames_delivered;
    Tally<FrameDrop> frames_dropped;
    std::array<Counter, static_cast<std::size_t>(Delivery::count_)> deliveries;
    Histogram complete_to_result_ns;  // frame complete → its result visible to the host
  } decoding;

  [[nodiscard]] std::uint64_t frames_dropped(FrameDrop cause) const noexcept {
    return receiving.frames_dropped.get(cause) + decoding.frames_dropped.get(cause);
  }
  [[nodiscard]] bool balanced() const noexcept;
};

}  // namespace penstock
