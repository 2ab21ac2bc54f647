// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#include "buffer/stream_account.hpp"

namespace penstock {

std::string_view name(FrameDrop cause) noexcept {
  switch (cause) {
    case FrameDrop::no_slot:
      return "no_slot";
    case FrameDrop::aborted:
      return "aborted";
    case FrameDrop::crc_mismatch:
      return "crc_mismatch";
    case FrameDrop::partial_policy:
      return "partial_policy";
    case FrameDrop::device_failed:
      return "device_failed";
    case FrameDrop::shutdown:
      return "shutdown";
    case FrameDrop::count_:
      break;
  }
  return "unknown";
}

std::string_view name(PacketReject cause) noexcept {
  switch (cause) {
    case PacketReject::unexpected_length:
      return "unexpected_length";
    case PacketReject::malformed:
      return "malformed";
    case PacketReject::truncated:
      return "truncated";
    case PacketReject::bad_fragment:
      return "bad_fragment";
    case PacketReject::other_sender:
      return "other_sender";
    case PacketReject::count_:
      break;
  }
  return "unknown";
}

std::string_view name(PacketDrop cause) noexcept {
  switch (cause) {
    case PacketDrop::no_slot:
      return "no_slot";
    case PacketDrop::before_first_scan:
      return "before_first_scan";
    case PacketDrop::late:
      return "late";
    case PacketDrop::count_:
      break;
  }
  return "unknown";
}

bool StreamAccount::balanced() const noexcept {
  const bool frames = receiving.frames_completed.get() == decoding.frames_delivered.get() +
                                                              receiving.frames_dropped.sum() +
                                                              decoding.frames_dropped.sum();
  const bool packets = receiving.packets_received.get() ==
                       receiving.packets_placed.get() + receiving.packets_side.get() +
                           receiving.packets_rejected.sum() + receiving.packets_dropped.sum();
  return frames && packets;
}

}  // namespace penstock
