// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#include "net/formats/registry.hpp"

#include "net/formats/vlp16.hpp"

namespace penstock {

bool has_assembler(StreamKind kind) noexcept { return kind == StreamKind::velodyne_vlp16; }

std::size_t largest_frame_bytes(StreamKind kind) noexcept {
  return has_assembler(kind) ? Vlp16Assembler::kPacketBytes * Vlp16Assembler::kMostPackets : 0;
}

std::unique_ptr<Assembler> make_assembler(StreamKind kind) {
  return has_assembler(kind) ? std::make_unique<Vlp16Assembler>() : nullptr;
}

}  // namespace penstock
