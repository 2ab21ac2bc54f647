// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#include "net/wire/message.hpp"

#include "net/wire/bytes.hpp"
#include "net/wire/crc32c.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace penstock::wire {
namespace {

using HeaderBytes = std::array<std::byte, kHeaderBytes>;

const Header kFrame{.type = MessageType::frame,
                    .has_payload_crc = true,
                    .stream = 3,
                    .payload_crc = 0xDEADBEEF,
                    .payload_bytes = 4096,
                    .sequence = 17,
                    .sensor_time_ns = 1'234'567'890,
                    .unsent = 2};

// As a peer would that makes one mistake and otherwise keeps to the rules.
template <class T>
HeaderBytes with(std::size_t at, T value) {
  HeaderBytes bytes = encode(kFrame);
  put(std::span<std::byte>{bytes}, at, value);
  put(std::span<std::byte>{bytes}, 60, crc32c(std::span<const std::byte>{bytes}.first(60)));
  return bytes;
}

TEST(Header, ComesBackAsItWasSent) {
  const auto parsed = parse_header(encode(kFrame));

  ASSERT_TRUE(parsed);
  EXPECT_EQ(parsed->type, kFrame.type);
  EXPECT_TRUE(parsed->has_payload_crc);
  EXPECT_EQ(parsed->stream, kFrame.stream);
  EXPECT_EQ(parsed->payload_crc, kFrame.payload_crc);
  EXPECT_EQ(parsed->payload_bytes, kFrame.payload_bytes);
  EXPECT_EQ(parsed->sequence, kFrame.sequence);
  EXPECT_EQ(parsed->sensor_time_ns, kFrame.sensor_time_ns);
  EXPECT_EQ(parsed->unsent, kFrame.unsent);
}

TEST(Header, LiesOnTheWireAsDocumented) {
  const HeaderBytes bytes = encode(kFrame);
  const std::span<const std::byte> all{bytes};

  EXPECT_EQ(get<std::uint32_t>(all, 0), 0x4B534E50u);
  EXPECT_EQ(get<std::uint8_t>(all, 4), 1);
  EXPECT_EQ(get<std::uint8_t>(all, 5), 7);
  EXPECT_EQ(get<std::uint16_t>(all, 6), 1);
  EXPECT_EQ(get<std::uint32_t>(all, 8), 3u);
  EXPECT_EQ(get<std::uint32_t>(all, 12), 0xDEADBEEFu);
  EXPECT_EQ(get<std::uint64_t>(all, 16), 4096u);
  EXPECT_EQ(get<std::uint64_t>(all, 24), 17u);
  EXPECT_EQ(get<std::int64_t>(all, 32), 1'234'567'890);
  EXPECT_EQ(get<std::uint64_t>(all, 40), 2u);
  EXPECT_EQ(get<std::uint64_t>(all, 48), 0u);
  EXPECT_EQ(get<std::uint32_t>(all, 60), crc32c(all.first(60)));
}

TEST(Header, EveryFieldOutOfRangeIsRefusedWithItsName) {
  struct Case {
    HeaderBytes bytes;
    ParseError error;
  };
  const std::vector<Case> cases{
      {with<std::uint32_t>(0, 0x4B534E51), ParseError::bad_magic},
      {with<std::uint8_t>(4, 2), ParseError::bad_version},
      {with<std::uint8_t>(5, 0), ParseError::bad_type},
      {with<std::uint8_t>(5, 11), ParseError::bad_type},
      {with<std::uint16_t>(6, 3), ParseError::bad_flags},
      {with<std::uint16_t>(6, 0), ParseError::bad_flags},  // and yet a payload crc
      {with<std::uint32_t>(8, 0), ParseError::bad_stream},
      {with<std::uint64_t>(16, 0), ParseError::bad_payload_bytes},
      {with<std::uint64_t>(16, kMaxFrameBytes + 1), ParseError::bad_payload_bytes},
      {with<std::uint64_t>(16, ~0ull), ParseError::bad_payload_bytes},
      {with<std::int64_t>(32, -2), ParseError::bad_sensor_time},
      {with<std::uint8_t>(48, 1), ParseError::bad_reserved},
      {with<std::uint8_t>(59, 1), ParseError::bad_reserved},
  };
  for (const Case& c : cases) {
    const auto parsed = parse_header(c.bytes);
    ASSERT_FALSE(parsed) << name(c.error);
    EXPECT_EQ(name(parsed.error()), name(c.error));
  }
}

TEST(Header, ASingleFlippedBitIsNoticedWhereverItIs) {
  const HeaderBytes good = encode(kFrame);
  for (std::size_t bit = 0; bit < 8 * kHeaderBytes; ++bit) {
    HeaderBytes bytes = good;
    bytes[bit / 8] ^= static_cast<std::byte>(1u << (bit % 8));
    EXPECT_FALSE(parse_header(bytes)) << "bit " << bit;
  }
}

TEST(Header, AControlMessageUsesNoFieldOfAFrame) {
  Header header{.type = MessageType::close_stream, .stream = 1, .payload_bytes = 16};
  EXPECT_TRUE(parse_header(encode(header)));

  header.sequence = 1;
  EXPECT_FALSE(parse_header(encode(header)));
  header.sequence = 0;
  header.payload_bytes = kMaxControlBytes + 1;
  EXPECT_FALSE(parse_header(encode(header)));
}

}  // namespace
}  // namespace penstock::wire
