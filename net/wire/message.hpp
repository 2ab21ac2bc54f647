// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tl/expected.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace penstock::wire {

// docs/wire-protocol.md says all of this at length.
inline constexpr std::uint32_t kMagic = 0x4B534E50;  // "PNSK"
inline constexpr std::uint8_t kVersion = 1;
inline constexpr std::size_t kHeaderBytes = 64;
inline constexpr std::size_t kMaxControlBytes = 1024;
inline constexpr std::uint64_t kMaxFrameBytes = 1ull << 32;
inline constexpr std::uint32_t kMaxStreamsPerSession = 64;
inline constexpr std::size_t kMaxNameBytes = 64;
inline constexpr std::uint64_t kMaxCount = 1ull << 62;  // of frames: sums of two cannot overflow

enum class MessageType : std::uint8_t {
  hello = 1,          // client: the versions it speaks
  welcome = 2,        // server: the version of this session, and its limits
  open_stream = 3,    // client
  stream_opened = 4,  // server
  refused = 5,        // server: an open_stream that it does not grant
  credit = 6,         // server: how many frames the stream may have sent in all
  frame = 7,          // client
  close_stream = 8,   // client: with its final counts
  stream_closed = 9,  // server: with its own
  goodbye = 10,       // either: the session ends, and why
};

// The 64 bytes before every message. Not every type uses every field; what a type does not use is
// zero on the wire.
struct Header {
  MessageType type = MessageType::goodbye;
  bool has_payload_crc = false;   // frames only
  std::uint32_t stream = 0;       // the client's number for it in this session, from 1; 0: none
  std::uint32_t payload_crc = 0;  // CRC-32C of the payload
  std::uint64_t payload_bytes = 0;
  std::uint64_t sequence = 0;       // frames: counts up by one from 0; unsent frames count too
  std::int64_t sensor_time_ns = 0;  // frames: the sender's clock; -1: unknown
  std::uint64_t unsent = 0;         // frames: dropped by the sender so far for want of credit
};

enum class ParseError : std::uint8_t {
  bad_magic,
  bad_header_crc,
  bad_version,
  bad_type,
  bad_flags,
  bad_reserved,
  bad_stream,
  bad_payload_bytes,
  bad_sequence,
  bad_sensor_time,
  bad_payload,  // a control payload that is too short, too long or contradicts itself
};
[[nodiscard]] std::string_view name(ParseError error) noexcept;

// Checks everything that can be judged without knowing the session.
[[nodiscard]] tl::expected<Header, ParseError> parse_header(
    std::span<const std::byte, kHeaderBytes> bytes) noexcept;

[[nodiscard]] std::array<std::byte, kHeaderBytes> encode(const Header& header) noexcept;

}  // namespace penstock::wire
