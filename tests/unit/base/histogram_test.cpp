// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#include "base/histogram.hpp"

#include <gtest/gtest.h>

#include <cstdint>

namespace penstock {
namespace {

TEST(Histogram, IsExactForSmallValuesAndWithinASixteenthForLargeOnes) {
  for (std::uint64_t value = 0; value < 5'000'000; value += 1 + value / 7) {
    Histogram histogram;
    histogram.record(static_cast<std::int64_t>(value));
    histogram.record(900'000'000'000);  // so that the maximum does not clamp the answer

    const std::uint64_t median = histogram.quantile(0.5);
    EXPECT_GE(median, value);
    EXPECT_LE(median, value + value / 16);
  }
}

TEST(Histogram, GivesTheValueThatTheAskedShareDoesNotExceed) {
  Histogram histogram;
  for (int i = 1; i <= 100; ++i) histogram.record(i * 16);

  EXPECT_NEAR(static_cast<double>(histogram.quantile(0.5)), 800, 50);
  EXPECT_NEAR(static_cast<double>(histogram.quantile(0.99)), 1584, 100);
  EXPECT_EQ(histogram.quantile(1.0), 1600u);
  EXPECT_EQ(histogram.max(), 1600u);
  EXPECT_EQ(histogram.count(), 100u);
}

TEST(Histogram, IsZeroWhenEmptyAndTakesNonsenseWithoutHarm) {
  Histogram histogram;
  EXPECT_EQ(histogram.quantile(0.99), 0u);

  histogram.record(-5);
  histogram.record(INT64_MAX);
  EXPECT_EQ(histogram.count(), 2u);
  EXPECT_EQ(histogram.max(), static_cast<std::uint64_t>(INT64_MAX));
}

}  // namespace
}  // namespace penstock
