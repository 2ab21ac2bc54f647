// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "net/wire/message.hpp"
#include "net/wire/open_stream.hpp"

#include <tl/expected.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace penstock::wire {

struct Hello {
  std::uint16_t least_version = kVersion;
  std::uint16_t most_version = kVersion;
};

struct Welcome {
  std::uint16_t version = kVersion;
  std::uint16_t max_streams = kMaxStreamsPerSession;
  std::uint64_t max_frame_bytes = kMaxFrameBytes;
};

struct StreamOpened {
  std::uint32_t slots = 0;  // the most credit that the stream can have outstanding
  std::uint64_t slot_bytes = 0;
};

// A refusal, or the reason of a goodbye.
struct Reason {
  std::uint16_t code = 0;  // RefusalCode or GoodbyeCode
  std::string text;        // one line for an operator
};

enum class GoodbyeCode : std::uint16_t {
  done = 0,            // nothing is wrong
  protocol_error = 1,  // the peer broke a rule; the text says which
  no_credit = 2,       // a frame without a credit
  timeout = 3,         // no handshake in time
  shutting_down = 4,
  too_many_sessions = 5,
};

struct Credit {
  std::uint64_t total = 0;  // frames that the stream may have sent since it was opened
};

// The sender's final counts: frames that went out, and frames that it dropped for want of credit.
struct CloseStream {
  std::uint64_t sent = 0;
  std::uint64_t unsent = 0;
};

// The receiver's: frames that arrived whole, and how many of those had a wrong checksum.
struct StreamClosed {
  std::uint64_t received = 0;
  std::uint64_t crc_mismatches = 0;
};

// Whole messages, header and payload.
[[nodiscard]] std::vector<std::byte> encode(const Hello& body);
[[nodiscard]] std::vector<std::byte> encode(const Welcome& body);
[[nodiscard]] std::vector<std::byte> encode(std::uint32_t stream, const OpenStream& body);
[[nodiscard]] std::vector<std::byte> encode(std::uint32_t stream, const StreamOpened& body);
[[nodiscard]] std::vector<std::byte> encode(std::uint32_t stream, const CloseStream& body);
[[nodiscard]] std::vector<std::byte> encode(std::uint32_t stream, const StreamClosed& body);
[[nodiscard]] std::vector<std::byte> encode_refused(std::uint32_t stream, const Reason& body);
[[nodiscard]] std::vector<std::byte> encode_goodbye(const Reason& body);

// A credit is sent while frames flow, so it has a fixed size and allocates nothing.
inline constexpr std::size_t kCreditBytes = kHeaderBytes + 8;
[[nodiscard]] std::array<std::byte, kCreditBytes> encode(std::uint32_t stream,
                                                         const Credit& body) noexcept;

// The payloads, checked: a length that does not fit, a name that is not one, a size that
// contradicts the kind are ParseError::bad_payload.
[[nodiscard]] tl::expected<Hello, ParseError> parse_hello(std::span<const std::byte> payload);
[[nodiscard]] tl::expected<Welcome, ParseError> parse_welcome(std::span<const std::byte> payload);
[[nodiscard]] tl::expected<OpenStream, ParseError> parse_open_stream(
    std::span<const std::byte> payload);
[[nodiscard]] tl::expected<StreamOpened, ParseError> parse_stream_opened(
    std::span<const std::byte> payload);
[[nodiscard]] tl::expected<Credit, ParseError> parse_credit(std::span<const std::byte> payload);
[[nodiscard]] tl::expected<CloseStream, ParseError> parse_close_stream(
    std::span<const std::byte> payload);
[[nodiscard]] tl::expected<StreamClosed, ParseError> parse_stream_closed(
    std::span<const std::byte> payload);
[[nodiscard]] tl::expected<Reason, ParseError> parse_reason(std::span<const std::byte> payload);

// Whether `name` can name a stream: 1 to 64 of a-z A-Z 0-9 _ - .
[[nodiscard]] bool is_stream_name(std::string_view name) noexcept;

}  // namespace penstock::wire
