// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "net/wire/stream_kind.hpp"

#include <cstdint>
#include <string>

namespace penstock::wire {

// What a client says of a stream that it wants to send. Already checked against the limits of the
// protocol (docs/wire-protocol.md), not against what this server has.
struct OpenStream {
  std::string name;  // 1..64 of a-z A-Z 0-9 _ - .
  StreamKind kind = StreamKind::raw;
  std::uint64_t max_frame_bytes = 0;  // no frame of the stream is longer
  std::uint32_t width = 0;            // images: pixels
  std::uint32_t height = 0;
  std::uint32_t slots_wanted = 0;  // frames in flight it would like; 0: the server's choice
};

// Why the server does not take a stream or a session.
enum class RefusalCode : std::uint16_t {
  not_declared = 1,   // `listen: {streams: declared}` and no entry of this name
  kind_mismatch = 2,  // the entry of this name has another kind or size
  name_in_use = 3,    // another session sends it now
  no_memory = 4,      // its slots do not fit
  bad_request = 5,    // the request contradicts itself or the protocol
  version = 6,        // no protocol version in common
  shutting_down = 7,
};

}  // namespace penstock::wire
