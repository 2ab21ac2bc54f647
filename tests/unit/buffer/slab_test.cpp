// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#include "buffer/slab.hpp"

#include "base/log.hpp"
#include "tests/support/plain_memory.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstdint>
#include <random>
#include <vector>

namespace penstock {
namespace {

TEST(Slab, GivesPagesThatDoNotOverlap) {
  Slab slab{test::plain_memory(16 * kPageBytes)};

  const auto first = slab.take(1);
  const auto second = slab.take(kPageBytes + 1);

  ASSERT_TRUE(first && second);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(second->host().data()) % kPageBytes, 0u);
  EXPECT_EQ(first->host().size(), kPageBytes);
  EXPECT_EQ(second->host().size(), 2 * kPageBytes);
  EXPECT_EQ(second->host().data(), first->host().data() + kPageBytes);
  EXPECT_EQ(second->device(), second->host().data());
}

TEST(Slab, RefusesWhatDoesNotFitAndStaysWhole) {
  Slab slab{test::plain_memory(4 * kPageBytes)};
  const std::size_t all = slab.free_bytes();

  EXPECT_FALSE(slab.take(0));
  EXPECT_FALSE(slab.take(all + 1));
  EXPECT_FALSE(slab.take(SIZE_MAX));
  EXPECT_EQ(slab.longest_free(), all);
}

TEST(Slab, MergesNeighboursAgainInWhateverOrderTheyComeBack) {
  Slab slab{test::plain_memory(64 * kPageBytes)};
  const std::size_t all = slab.free_bytes();
  std::mt19937 random{7};  // NOLINT(cert-msc51-cpp): the same order every time

  std::vector<SlabPart> parts;
  for (int i = 0; i < 2000; ++i) {
    if (parts.empty() || random() % 3 != 0) {
      if (auto part = slab.take((1 + random() % 5) * kPageBytes)) parts.push_back(std::move(*part));
    } else {
      std::swap(parts[random() % parts.size()], parts.back());
      parts.pop_back();
    }
  }
  parts.clear();

  EXPECT_EQ(slab.free_bytes(), all);
  EXPECT_EQ(slab.longest_free(), all);
}

TEST(Slab, IsSharedMemoryThatAnotherProcessCanMap) {
  const Slab slab{test::plain_memory(4 * kPageBytes)};
  struct stat facts {};
  ASSERT_EQ(::fstat(slab.memory().mapping().fd(), &facts), 0);
  EXPECT_EQ(static_cast<std::size_t>(facts.st_size), slab.memory().host().size());
}

TEST(SlabDeathTest, DestroyedInUseStopsTheProcess) {
  const auto destroy_in_use = [] {
    set_up_logging("info");
    std::optional<SlabPart> part;
    Slab slab{test::plain_memory(kPageBytes)};
    part = slab.take(1);
  };
  EXPECT_DEATH(destroy_in_use(), "slab destroyed in use");
}

}  // namespace
}  // namespace penstock
