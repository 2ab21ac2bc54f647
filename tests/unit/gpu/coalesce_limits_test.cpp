// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/coalesce.hpp"
#include "tests/support/alloc_guard.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <utility>
#include <vector>

namespace penstock {
namespace {

using Pairs = std::vector<std::pair<std::size_t, std::size_t>>;

Pairs runs(Pairs pairs, std::size_t most_gap) {
  std::vector<Extent> extents;
  for (const auto& [offset, bytes] : pairs) extents.push_back({offset, bytes});
  extents.resize(coalesce(extents, most_gap));
  Pairs left;
  for (const Extent& extent : extents) left.emplace_back(extent.offset, extent.bytes);
  return left;
}

TEST(CoalesceLimits, JoinsAcrossAGapOfAtMostTheGivenSize) {
  EXPECT_EQ(runs({{0, 10}, {20, 10}}, 10), (Pairs{{0, 30}}));
  EXPECT_EQ(runs({{0, 10}, {20, 10}}, 9), (Pairs{{0, 10}, {20, 10}}));
}

TEST(CoalesceLimits, NeverTouchesAGapWhenNoneIsAllowed) {
  EXPECT_EQ(runs({{0, 4095}, {4096, 1}}, 0), (Pairs{{0, 4095}, {4096, 1}}));
}

TEST(CoalesceLimits, ForgetsAFrameWithoutResult) {
  EXPECT_EQ(runs({{0, 0}, {0, 0}, {4096, 10}}, 0), (Pairs{{0, 0}, {4096, 10}}));
}

TEST(CoalesceLimits, CoversExactlyWhatTheDefinitionSaysForRandomSlots) {
  constexpr std::uint32_t kSeed = 20;
  std::mt19937 random{kSeed};  // NOLINT(cert-msc51-cpp): the same order every time
  for (int turn = 0; turn < 200; ++turn) {
    const std::size_t gap = random() % 4;
    std::vector<bool> covered(200);
    Pairs pairs;
    for (auto i = random() % 12; i != 0; --i) {
      pairs.emplace_back(random() % 180, 1 + random() % 20);
      for (std::size_t at = 0; at < pairs.back().second; ++at) {
        covered[pairs.back().first + at] = true;
      }
    }
    // The definition, byte by byte: a gap of at most `gap` bytes between two covered ones is
    // filled.
    std::size_t last = covered.size();
    const std::vector<bool> given = covered;
    for (std::size_t at = 0; at < covered.size(); ++at) {
      if (!given[at]) continue;
      if (last != covered.size() && at - last - 1 <= gap) {
        for (std::size_t hole = last + 1; hole < at; ++hole) covered[hole] = true;
      }
      last = at;
    }

    std::vector<bool> joined(covered.size());
    for (const auto& [offset, bytes] : runs(pairs, gap)) {
      for (std::size_t at = offset; at < offset + bytes; ++at) {
        ASSERT_FALSE(joined[at]) << "seed " << kSeed << " turn " << turn << ": copied twice";
        joined[at] = true;
      }
    }
    ASSERT_EQ(joined, covered) << "seed " << kSeed << " turn " << turn;
  }
}

TEST(CoalesceLimits, AllocatesNothing) {
  std::vector<Extent> extents;
  for (std::size_t i = 256; i != 0; --i) extents.push_back({i * 8192, 4096});
  const auto before = test::allocations_on_this_thread();

  const std::size_t left = coalesce(extents, 0);

  EXPECT_EQ(test::allocations_on_this_thread(), before);
  EXPECT_EQ(left, 256u);
}

}  // namespace
}  // namespace penstock
