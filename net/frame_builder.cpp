// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#include "net/frame_builder.hpp"

#include "base/clock.hpp"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <cstring>
#include <utility>

namespace penstock {

using Kind = PacketVerdict::Kind;
using Seam = PacketVerdict::Seam;

FrameBuilder::FrameBuilder(std::string name, StreamPort& port, std::unique_ptr<Assembler> assembler)
    : name_{std::move(name)},
      port_{port},
      assembler_{std::move(assembler)},
      packet_bytes_{assembler_->packet_bytes()},
      scratch_(packet_bytes_) {}

// A handler that waits in the reactor may keep a flushed builder for longer than its stream lives:
// then there is nothing left to do, and nothing to do it to.
FrameBuilder::~FrameBuilder() {
  if (open_ || slot_ || next_slot_) flush();
}

bool FrameBuilder::ready() noexcept {
  const auto try_both = [this] {
    if (!slot_ && !open_) slot_ = port_.slots->acquire();
    if (!next_slot_ && seam_near()) next_slot_ = port_.slots->acquire();
    return (slot_ || open_) && (next_slot_ || !seam_near());
  };
  if (try_both()) return true;
  port_.slots->wake_when_returned();
  return try_both();  // one may have come back just before
}

std::span<std::byte> FrameBuilder::place() noexcept {
  if (crossing_) {
    if (!next_slot_) next_slot_ = port_.slots->acquire();
    return next_slot_ ? next_slot_.bytes().first(packet_bytes_) : std::span{scratch_};
  }
  if (!slot_ && !open_) slot_ = port_.slots->acquire();
  return slot_ ? slot_.bytes().subspan(packets_ * packet_bytes_, packet_bytes_)
               : std::span{scratch_};
}

FrameBuilder::Next FrameBuilder::commit(std::size_t bytes, std::int64_t arrived_ns) noexcept {
  books().packets_received.add();
  books().bytes_received.add(bytes);
  if (bytes != packet_bytes_) {
    refuse(PacketReject::unexpected_length, bytes);
    return Next::packet;
  }
  const PacketVerdict verdict = assembler_->judge(place());
  books().packets_lost.add(verdict.known_lost);
  arrived_ns_ = arrived_ns;
  sensor_ns_ = verdict.sensor_time_ns;
  if (verdict.kind == Kind::reject) {
    refuse(verdict.cause, bytes);
    return Next::packet;
  }
  if (verdict.kind == Kind::late) {
    books().packets_dropped.add(PacketDrop::late);
    return Next::packet;
  }
  return place_in_frame(verdict);
}

FrameBuilder::Next FrameBuilder::place_in_frame(const PacketVerdict& verdict) noexcept {
  torn_ |= open_ && verdict.gap_before;
  if (!open_ && verdict.seam == Seam::none) {
    books().packets_dropped.add(PacketDrop::before_first_scan);
    return Next::packet;
  }
  if (!open_) {
    begin(verdict.blocks_before_seam, verdict.head_missing);
    ++packets_;
    count_packet(static_cast<bool>(slot_));
    return Next::packet;
  }
  if (verdict.seam != Seam::none) {
    crossing_ = true;
    crossing_verdict_ = verdict;
    return Next::again;
  }
  count_packet(static_cast<bool>(slot_));
  ++packets_;
  if (packets_ == assembler_->most_packets()) {  // a turn that has no end: the motor stands still
    torn_ = true;
    close(0);
    slot_ = port_.slots->acquire();
    begin(0, true);
  }
  return Next::packet;
}

void FrameBuilder::commit_again() noexcept { begin_next(); }

void FrameBuilder::copy_across() noexcept {
  const std::span<std::byte> from =
      slot_ ? slot_.bytes().subspan(packets_ * packet_bytes_) : std::span{scratch_};
  const std::span<std::byte> to = place();
  if (to.data() != from.data()) {
    std::memcpy(to.data(), from.data(), packet_bytes_);
    books().bytes_copied_by_cpu.add(packet_bytes_);
  }
  begin_next();
}

void FrameBuilder::begin_next() noexcept {
  const bool inside = crossing_verdict_.seam == Seam::inside;
  count_packet(next_slot_ || (inside && slot_));
  if (inside) ++packets_;
  close(inside ? crossing_verdict_.blocks_after_seam : std::uint16_t{0});
  crossing_ = false;
  slot_ = std::move(next_slot_);
  begin(crossing_verdict_.blocks_before_seam, crossing_verdict_.head_missing);
  ++packets_;
}

void FrameBuilder::begin(std::uint16_t skip_head, bool torn) noexcept {
  open_ = true;
  torn_ = torn;
  packets_ = 0;
  skip_head_ = skip_head;
  first_arrived_ns_ = arrived_ns_;
  first_sensor_ns_ = sensor_ns_;
}

void FrameBuilder::count_packet(bool placed) noexcept {
  if (placed) {
    books().packets_placed.add();
  } else {
    books().packets_dropped.add(PacketDrop::no_slot);
  }
}

void FrameBuilder::close(std::uint16_t skip_tail) noexcept {
  const FrameInfo info{.stream = port_.id,
                       .sequence = sequence_++,
                       .sensor_time_ns = first_sensor_ns_,
                       .received_ns = first_arrived_ns_,
                       .completed_ns = monotonic_ns(),
                       .bytes = std::exchange(packets_, 0) * packet_bytes_,
                       .bytes_expected = 0,
                       .whole = !torn_,
                       .skip_blocks_head = skip_head_,
                       .skip_blocks_tail = skip_tail};
  open_ = false;
  books().frames_completed.add();
  if (torn_) books().frames_partial.add();
  if (!slot_) {
    books().frames_dropped.add(FrameDrop::no_slot);
  } else if (torn_ && !port_.deliver_partial) {
    books().frames_dropped.add(FrameDrop::partial_policy);
    slot_ = {};
  } else {
    port_.publish(std::move(slot_), info);
  }
}

void FrameBuilder::commit_side(std::span<const std::byte> packet) noexcept {
  books().packets_received.add();
  books().bytes_received.add(packet.size());
  if (assembler_->is_side_packet(packet)) {
    books().packets_side.add();
  } else {
    refuse(PacketReject::unexpected_length, packet.size());
  }
}

void FrameBuilder::reject(PacketReject cause, std::size_t bytes) noexcept {
  books().packets_received.add();
  books().bytes_received.add(bytes);
  refuse(cause, bytes);
}

void FrameBuilder::refuse(PacketReject cause, std::size_t bytes) noexcept {
  books().packets_rejected.add(cause);
  LogLimit& limit = limits_[static_cast<std::size_t>(cause)];
  if (const auto held_back = limit.admit(monotonic_ns())) {
    spdlog::warn("packet rejected stream={} cause={} bytes={} expected={} held_back={}", name_,
                 penstock::name(cause), bytes, packet_bytes_, *held_back);
  }
}

void FrameBuilder::flush() noexcept {
  if (crossing_) copy_across();
  books().packets_lost.add(assembler_->end_of_run());
  if (open_) {
    torn_ = true;  // its end never came
    close(0);
  }
  slot_ = {};
  next_slot_ = {};
}

}  // namespace penstock
