// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/cpu/fletcher.hpp"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace penstock::kernels {
namespace {

// Byte by byte, straight from the definition.
FletcherSums by_definition(const std::vector<std::byte>& payload, std::size_t bytes) {
  std::vector<std::uint64_t> words((bytes + 3) / 4);
  for (std::size_t i = 0; i < bytes; ++i) {
    words[i / 4] += std::to_integer<std::uint64_t>(payload[i]) << (8 * (i % 4));
  }
  FletcherSums sums;
  for (std::size_t i = 0; i < words.size(); ++i) {
    sums.a += words[i];
    sums.b += (words.size() - i) * words[i];
  }
  return sums;
}

TEST(Fletcher, OfThreeWordsIsWhatAPersonComputes) {
  std::vector<std::byte> payload(9);  // words 1, 2 and a last one that is filled up: 3
  payload[0] = std::byte{1};
  payload[4] = std::byte{2};
  payload[8] = std::byte{3};

  const FletcherSums sums = cpu::fletcher(payload.data(), payload.size());

  EXPECT_EQ(sums.a, 6u);
  EXPECT_EQ(sums.b, 3 * 1 + 2 * 2 + 1 * 3u);
}

TEST(Fletcher, EqualsTheDefinitionAtEveryLength) {
  std::mt19937 random{3};
  std::vector<std::byte> payload(100'003);
  for (std::byte& byte : payload) byte = static_cast<std::byte>(random());

  std::vector<std::size_t> lengths{65'536, 99'999, 100'000, 100'001, 100'003};
  for (std::size_t length = 0; length < 300; ++length) lengths.push_back(length);
  for (const std::size_t length : lengths) {
    const FletcherSums ours = cpu::fletcher(payload.data(), length);
    const FletcherSums expected = by_definition(payload, length);
    ASSERT_EQ(ours.a, expected.a) << length;
    ASSERT_EQ(ours.b, expected.b) << length;
  }
}

// How threads share a payload: behind a first part follow all words of the second, so each of its
// words weighs that many more.
TEST(Fletcher, OfTwoPartsAddUpToThatOfTheWhole) {
  std::mt19937 random{7};
  std::vector<std::byte> payload(4'099);
  for (std::byte& byte : payload) byte = static_cast<std::byte>(random());
  const FletcherSums whole = cpu::fletcher(payload.data(), payload.size());

  for (std::size_t cut = 0; cut <= payload.size(); cut += 4) {
    const FletcherSums first = cpu::fletcher(payload.data(), cut);
    const FletcherSums second = cpu::fletcher(payload.data() + cut, payload.size() - cut);
    ASSERT_EQ(first.a + second.a, whole.a) << cut;
    ASSERT_EQ(first.b + fletcher_words(payload.size() - cut) * first.a + second.b, whole.b) << cut;
  }
}

TEST(Fletcher, NoticesTwoWordsThatChangedPlaces) {
  std::vector<std::byte> payload(64);
  payload[8] = std::byte{1};
  const FletcherSums before = cpu::fletcher(payload.data(), payload.size());
  std::swap(payload[8], payload[40]);

  const FletcherSums after = cpu::fletcher(payload.data(), payload.size());

  EXPECT_EQ(before.a, after.a);
  EXPECT_NE(before.b, after.b);
}

}  // namespace
}  // namespace penstock::kernels
