// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#include "base/spsc_ring.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <thread>

namespace penstock {
namespace {

TEST(SpscRing, TakesAsManyAsItsCapacityAndLeavesTheNextUntouched) {
  SpscRing<std::unique_ptr<int>> ring{3};  // rounded up to 4
  for (int i = 0; i < 4; ++i) ASSERT_TRUE(ring.try_push(std::make_unique<int>(i)));

  auto fifth = std::make_unique<int>(4);
  EXPECT_FALSE(ring.try_push(std::move(fifth)));
  EXPECT_NE(fifth, nullptr);
  EXPECT_EQ(ring.writable(), 0u);
  EXPECT_EQ(**ring.try_pop(), 0);
  EXPECT_EQ(ring.writable(), 1u);
}

TEST(SpscRing, FrontLooksWithoutTaking) {
  SpscRing<int> ring{2};
  EXPECT_EQ(ring.front(), nullptr);
  ASSERT_TRUE(ring.try_push(7));
  EXPECT_EQ(*ring.front(), 7);
  EXPECT_EQ(ring.try_pop(), 7);
  EXPECT_EQ(ring.try_pop(), std::nullopt);
}

TEST(SpscRing, KeepsNothingAliveAfterAPop) {
  SpscRing<std::shared_ptr<int>> ring{2};
  auto value = std::make_shared<int>(1);
  ASSERT_TRUE(ring.try_push(std::shared_ptr<int>{value}));
  (void)ring.try_pop();
  EXPECT_EQ(value.use_count(), 1);
}

TEST(SpscRing, HandsEveryElementOverInOrderBetweenTwoThreads) {
  constexpr int kCount = 200'000;
  SpscRing<int> ring{64};
  std::thread producer{[&ring] {
    for (int i = 0; i < kCount;) i += ring.try_push(int{i}) ? 1 : 0;
  }};
  int expected = 0;
  while (expected < kCount) {
    const auto value = ring.try_pop();
    if (!value) continue;
    ASSERT_EQ(*value, expected++);
  }
  producer.join();
}

}  // namespace
}  // namespace penstock
