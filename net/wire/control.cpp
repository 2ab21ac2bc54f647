// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#include "net/wire/control.hpp"

#include "net/wire/bytes.hpp"

#include <algorithm>
#include <cstring>
#include <optional>

namespace penstock::wire {
namespace {

constexpr std::size_t kHelloBytes = 8;
constexpr std::size_t kWelcomeBytes = 16;
constexpr std::size_t kOpenBytes = 24;  // and the name
constexpr std::size_t kOpenedBytes = 16;
constexpr std::size_t kCountsBytes = 16;
constexpr std::size_t kReasonBytes = 4;  // and the text
constexpr std::uint32_t kMaxImageSide = 65535;

// A message with room for its payload, whose header says so.
struct Message {
  Message(MessageType type, std::uint32_t stream, std::size_t payload_bytes)
      : bytes(kHeaderBytes + payload_bytes) {
    const auto header =
        encode(Header{.type = type, .stream = stream, .payload_bytes = payload_bytes});
    std::copy(header.begin(), header.end(), bytes.begin());
  }
  [[nodiscard]] std::span<std::byte> payload() { return std::span{bytes}.subspan(kHeaderBytes); }

  std::vector<std::byte> bytes;
};

std::vector<std::byte> counts(MessageType type, std::uint32_t stream, std::uint64_t first,
                              std::uint64_t second) {
  Message message{type, stream, kCountsBytes};
  put(message.payload(), 0, first);
  put(message.payload(), 8, second);
  return std::move(message.bytes);
}

std::vector<std::byte> reason(MessageType type, std::uint32_t stream, const Reason& body) {
  const std::size_t text_bytes = std::min(body.text.size(), kMaxControlBytes - kReasonBytes);
  Message message{type, stream, kReasonBytes + text_bytes};
  put(message.payload(), 0, body.code);
  put(message.payload(), 2, static_cast<std::uint16_t>(text_bytes));
  std::memcpy(message.payload().data() + kReasonBytes, body.text.data(), text_bytes);
  return std::move(message.bytes);
}

// The text after a fixed part, when its length is what the fixed part says.
std::optional<std::string> text_after(std::span<const std::byte> payload, std::size_t fixed_bytes,
                                      std::size_t text_bytes) {
  if (payload.size() != fixed_bytes + text_bytes) return std::nullopt;
  std::string text(text_bytes, '\0');
  std::memcpy(text.data(), payload.data() + fixed_bytes, text_bytes);
  return text;
}

tl::unexpected<ParseError> bad() { return tl::unexpected{ParseError::bad_payload}; }

// A frame of an image has one size, and the others have no sides.
bool consistent(const OpenStream& stream) {
  if (stream.max_frame_bytes == 0 || stream.max_frame_bytes > kMaxFrameBytes) return false;
  const std::uint64_t image = image_bytes(stream.kind, stream.width, stream.height);
  const bool is_image = image_bytes(stream.kind, 1, 1) != 0;
  if (!is_image) return stream.width == 0 && stream.height == 0;
  if (stream.width < 2 || stream.height < 2) return false;
  if (stream.width > kMaxImageSide || stream.height > kMaxImageSide) return false;
  if (stream.kind == StreamKind::uyvy && stream.width % 2 != 0) return false;
  return stream.max_frame_bytes == image;
}

}  // namespace

bool is_stream_name(std::string_view name) noexcept {
  const auto allowed = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-' || c == '.';
  };
  // "." and ".." would leave the folder that a recorder makes for the stream.
  return !name.empty() && name.size() <= kMaxNameBytes && name != "." && name != ".." &&
         std::all_of(name.begin(), name.end(), allowed);
}

std::vector<std::byte> encode(const Hello& body) {
  Message message{MessageType::hello, 0, kHelloBytes};
  put(message.payload(), 0, body.least_version);
  put(message.payload(), 2, body.most_version);
  return std::move(message.bytes);
}

std::vector<std::byte> encode(const Welcome& body) {
  Message message{MessageType::welcome, 0, kWelcomeBytes};
  put(message.payload(), 0, body.version);
  put(message.payload(), 2, body.max_streams);
  put(message.payload(), 8, body.max_frame_bytes);
  return std::move(message.bytes);
}

std::vector<std::byte> encode(std::uint32_t stream, const OpenStream& body) {
  Message message{MessageType::open_stream, stream, kOpenBytes + body.name.size()};
  const std::span<std::byte> payload = message.payload();
  put(payload, 0, static_cast<std::uint16_t>(body.kind));
  put(payload, 2, static_cast<std::uint16_t>(body.name.size()));
  put(payload, 4, body.slots_wanted);
  put(payload, 8, body.max_frame_bytes);
  put(payload, 16, body.width);
  put(payload, 20, body.height);
  std::memcpy(payload.data() + kOpenBytes, body.name.data(), body.name.size());
  return std::move(message.bytes);
}

std::vector<std::byte> encode(std::uint32_t stream, const StreamOpened& body) {
  Message message{MessageType::stream_opened, stream, kOpenedBytes};
  put(message.payload(), 0, body.slots);
  put(message.payload(), 8, body.slot_bytes);
  return std::move(message.bytes);
}

std::vector<std::byte> encode(std::uint32_t stream, const CloseStream& body) {
  return counts(MessageType::close_stream, stream, body.sent, body.unsent);
}

std::vector<std::byte> encode(std::uint32_t stream, const StreamClosed& body) {
  return counts(MessageType::stream_closed, stream, body.received, body.crc_mismatches);
}

std::vector<std::byte> encode_refused(std::uint32_t stream, const Reason& body) {
  return reason(MessageType::refused, stream, body);
}

std::vector<std::byte> encode_goodbye(const Reason& body) {
  return reason(MessageType::goodbye, 0, body);
}

std::array<std::byte, kCreditBytes> encode(std::uint32_t stream, const Credit& body) noexcept {
  std::array<std::byte, kCreditBytes> bytes{};
  const auto header =
      encode(Header{.type = MessageType::credit, .stream = stream, .payload_bytes = 8});
  std::copy(header.begin(), header.end(), bytes.begin());
  put(std::span<std::byte>{bytes}, kHeaderBytes, body.total);
  return bytes;
}

tl::expected<Hello, ParseError> parse_hello(std::span<const std::byte> payload) {
  if (payload.size() != kHelloBytes || get<std::uint32_t>(payload, 4) != 0) return bad();
  const Hello hello{get<std::uint16_t>(payload, 0), get<std::uint16_t>(payload, 2)};
  if (hello.least_version > hello.most_version) return bad();
  return hello;
}

tl::expected<Welcome, ParseError> parse_welcome(std::span<const std::byte> payload) {
  if (payload.size() != kWelcomeBytes || get<std::uint32_t>(payload, 4) != 0) return bad();
  return Welcome{get<std::uint16_t>(payload, 0), get<std::uint16_t>(payload, 2),
                 get<std::uint64_t>(payload, 8)};
}

tl::expected<OpenStream, ParseError> parse_open_stream(std::span<const std::byte> payload) {
  if (payload.size() < kOpenBytes) return bad();
  const auto kind = stream_kind(get<std::uint16_t>(payload, 0));
  auto name = text_after(payload, kOpenBytes, get<std::uint16_t>(payload, 2));
  if (!kind || !name || !is_stream_name(*name)) return bad();
  OpenStream stream{.name = std::move(*name),
                    .kind = *kind,
                    .max_frame_bytes = get<std::uint64_t>(payload, 8),
                    .width = get<std::uint32_t>(payload, 16),
                    .height = get<std::uint32_t>(payload, 20),
                    .slots_wanted = get<std::uint32_t>(payload, 4)};
  if (!consistent(stream)) return bad();
  return stream;
}

tl::expected<StreamOpened, ParseError> parse_stream_opened(std::span<const std::byte> payload) {
  if (payload.size() != kOpenedBytes || get<std::uint32_t>(payload, 4) != 0) return bad();
  return StreamOpened{get<std::uint32_t>(payload, 0), get<std::uint64_t>(payload, 8)};
}

tl::expected<Credit, ParseError> parse_credit(std::span<const std::byte> payload) {
  if (payload.size() != sizeof(std::uint64_t)) return bad();
  return Credit{get<std::uint64_t>(payload, 0)};
}

tl::expected<CloseStream, ParseError> parse_close_stream(std::span<const std::byte> payload) {
  if (payload.size() != kCountsBytes) return bad();
  const CloseStream counts{get<std::uint64_t>(payload, 0), get<std::uint64_t>(payload, 8)};
  if (counts.sent > kMaxCount || counts.unsent > kMaxCount) return bad();
  return counts;
}

tl::expected<StreamClosed, ParseError> parse_stream_closed(std::span<const std::byte> payload) {
  if (payload.size() != kCountsBytes) return bad();
  return StreamClosed{get<std::uint64_t>(payload, 0), get<std::uint64_t>(payload, 8)};
}

tl::expected<Reason, ParseError> parse_reason(std::span<const std::byte> payload) {
  if (payload.size() < kReasonBytes) return bad();
  auto text = text_after(payload, kReasonBytes, get<std::uint16_t>(payload, 2));
  if (!text) return bad();
  return Reason{get<std::uint16_t>(payload, 0), std::move(*text)};
}

}  // namespace penstock::wire
