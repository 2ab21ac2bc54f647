// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#include "net/wire/message.hpp"

#include "net/wire/bytes.hpp"
#include "net/wire/crc32c.hpp"

#include <algorithm>

namespace penstock::wire {
namespace {

constexpr std::size_t kVersionAt = 4;
constexpr std::size_t kTypeAt = 5;
constexpr std::size_t kFlagsAt = 6;
constexpr std::size_t kStreamAt = 8;
constexpr std::size_t kPayloadCrcAt = 12;
constexpr std::size_t kPayloadBytesAt = 16;
constexpr std::size_t kSequenceAt = 24;
constexpr std::size_t kSensorTimeAt = 32;
constexpr std::size_t kUnsentAt = 40;
constexpr std::size_t kReservedAt = 48;
constexpr std::size_t kHeaderCrcAt = 60;

constexpr std::uint16_t kPayloadCrcFlag = 1;

bool belongs_to_a_stream(MessageType type) noexcept {
  switch (type) {
    case MessageType::open_stream:
    case MessageType::stream_opened:
    case MessageType::refused:
    case MessageType::credit:
    case MessageType::frame:
    case MessageType::close_stream:
    case MessageType::stream_closed:
      return true;
    case MessageType::hello:
    case MessageType::welcome:
    case MessageType::goodbye:
      break;
  }
  return false;
}

// What a header may say, given its type.
tl::expected<Header, ParseError> judged(const Header& header) noexcept {
  const bool frame = header.type == MessageType::frame;
  if (header.has_payload_crc && !frame) return tl::unexpected{ParseError::bad_flags};
  if (!header.has_payload_crc && header.payload_crc != 0) {
    return tl::unexpected{ParseError::bad_flags};
  }
  // A refusal may speak of the session as a whole.
  const bool needs_stream = belongs_to_a_stream(header.type) && header.type != MessageType::refused;
  if (needs_stream != (header.stream != 0) && header.type != MessageType::refused) {
    return tl::unexpected{ParseError::bad_stream};
  }
  if (header.payload_bytes > (frame ? kMaxFrameBytes : kMaxControlBytes) ||
      (frame && header.payload_bytes == 0)) {
    return tl::unexpected{ParseError::bad_payload_bytes};
  }
  if (!frame && header.sequence != 0) return tl::unexpected{ParseError::bad_sequence};
  if (!frame && header.unsent != 0) return tl::unexpected{ParseError::bad_sequence};
  if (header.sequence > kMaxCount || header.unsent > kMaxCount) {
    return tl::unexpected{ParseError::bad_sequence};
  }
  if (header.sensor_time_ns < -1 || (!frame && header.sensor_time_ns != 0)) {
    return tl::unexpected{ParseError::bad_sensor_time};
  }
  return header;
}

}  // namespace

std::string_view name(ParseError error) noexcept {
  switch (error) {
    case ParseError::bad_magic:
      return "bad_magic";
    case ParseError::bad_header_crc:
      return "bad_header_crc";
    case ParseError::bad_version:
      return "bad_version";
    case ParseError::bad_type:
      return "bad_type";
    case ParseError::bad_flags:
      return "bad_flags";
    case ParseError::bad_reserved:
      return "bad_reserved";
    case ParseError::bad_stream:
      return "bad_stream";
    case ParseError::bad_payload_bytes:
      return "bad_payload_bytes";
    case ParseError::bad_sequence:
      return "bad_sequence";
    case ParseError::bad_sensor_time:
      return "bad_sensor_time";
    case ParseError::bad_payload:
      return "bad_payload";
  }
  return "unknown";
}

tl::expected<Header, ParseError> parse_header(
    std::span<const std::byte, kHeaderBytes> bytes) noexcept {
  const std::span<const std::byte> all{bytes};
  if (get<std::uint32_t>(all, 0) != kMagic) return tl::unexpected{ParseError::bad_magic};
  if (get<std::uint32_t>(all, kHeaderCrcAt) != crc32c(all.first(kHeaderCrcAt))) {
    return tl::unexpected{ParseError::bad_header_crc};
  }
  if (get<std::uint8_t>(all, kVersionAt) != kVersion) {
    return tl::unexpected{ParseError::bad_version};
  }
  const auto type = get<std::uint8_t>(all, kTypeAt);
  if (type < static_cast<std::uint8_t>(MessageType::hello) ||
      type > static_cast<std::uint8_t>(MessageType::goodbye)) {
    return tl::unexpected{ParseError::bad_type};
  }
  const auto flags = get<std::uint16_t>(all, kFlagsAt);
  if ((flags & ~kPayloadCrcFlag) != 0) return tl::unexpected{ParseError::bad_flags};
  const auto reserved = all.subspan(kReservedAt, kHeaderCrcAt - kReservedAt);
  if (std::any_of(reserved.begin(), reserved.end(),
                  [](std::byte b) { return b != std::byte{0}; })) {
    return tl::unexpected{ParseError::bad_reserved};
  }
  return judged({.type = static_cast<MessageType>(type),
                 .has_payload_crc = (flags & kPayloadCrcFlag) != 0,
                 .stream = get<std::uint32_t>(all, kStreamAt),
                 .payload_crc = get<std::uint32_t>(all, kPayloadCrcAt),
                 .payload_bytes = get<std::uint64_t>(all, kPayloadBytesAt),
                 .sequence = get<std::uint64_t>(all, kSequenceAt),
                 .sensor_time_ns = get<std::int64_t>(all, kSensorTimeAt),
                 .unsent = get<std::uint64_t>(all, kUnsentAt)});
}

std::array<std::byte, kHeaderBytes> encode(const Header& header) noexcept {
  std::array<std::byte, kHeaderBytes> bytes{};
  const std::span<std::byte> all{bytes};
  put(all, 0, kMagic);
  put(all, kVersionAt, kVersion);
  put(all, kTypeAt, static_cast<std::uint8_t>(header.type));
  put(all, kFlagsAt, header.has_payload_crc ? kPayloadCrcFlag : std::uint16_t{0});
  put(all, kStreamAt, header.stream);
  put(all, kPayloadCrcAt, header.payload_crc);
  put(all, kPayloadBytesAt, header.payload_bytes);
  put(all, kSequenceAt, header.sequence);
  put(all, kSensorTimeAt, header.sensor_time_ns);
  put(all, kUnsentAt, header.unsent);
  put(all, kHeaderCrcAt, crc32c(std::span<const std::byte>{bytes}.first(kHeaderCrcAt)));
  return bytes;
}

}  // namespace penstock::wire
