// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#include "net/wire/crc32c.hpp"

#include <gtest/gtest.h>

#include <random>
#include <string_view>
#include <vector>

namespace penstock::wire {
namespace {

std::uint32_t of(std::string_view text) {
  return crc32c(std::as_bytes(std::span{text.data(), text.size()}));
}

// One bit at a time, straight from the definition of the polynomial.
std::uint32_t by_definition(std::span<const std::byte> bytes) {
  std::uint32_t crc = 0xFFFFFFFFu;
  for (const std::byte byte : bytes) {
    crc ^= static_cast<std::uint32_t>(byte);
    for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1) ^ ((crc & 1) != 0 ? 0x82F63B78u : 0u);
  }
  return ~crc;
}

TEST(Crc32c, GivesThePublishedCheckValues) {
  EXPECT_EQ(of("123456789"), 0xE3069283u);
  EXPECT_EQ(
      of(std::string_view{"\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", 32}),
      0x8A9136AAu);  // RFC 3720, B.4
  EXPECT_EQ(of(""), 0u);
}

TEST(Crc32c, EqualsTheDefinitionAtEveryLengthAndAlignment) {
  std::mt19937 random{7};
  std::vector<std::byte> bytes(40'000);
  for (std::byte& byte : bytes) byte = static_cast<std::byte>(random());

  for (std::size_t length = 0; length < 200; ++length) {
    for (std::size_t offset = 0; offset < 9; ++offset) {
      const auto part = std::span{bytes}.subspan(offset, length);
      ASSERT_EQ(crc32c(part), by_definition(part)) << length << " at " << offset;
    }
  }
  for (const std::size_t length : {1023u, 3072u, 4096u, 12'287u, 24'576u, 39'990u}) {
    const auto part = std::span{bytes}.subspan(3, length);
    EXPECT_EQ(crc32c(part), by_definition(part)) << length;
  }
}

TEST(Crc32c, TheTwoWaysAgree) {
  if (!detail::has_sse42()) GTEST_SKIP() << "this processor has no SSE4.2";
  std::mt19937 random{8};
  std::vector<std::byte> bytes(70'001);
  for (std::byte& byte : bytes) byte = static_cast<std::byte>(random());

  EXPECT_EQ(detail::crc32c_table(0x1234u, bytes), detail::crc32c_sse42(0x1234u, bytes));
}

}  // namespace
}  // namespace penstock::wire
