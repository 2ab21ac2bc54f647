// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/angle.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace penstock::kernels {
namespace {

TEST(SinCos, StaysWithinItsDocumentedErrorAllTheWayRound) {
  double worst = 0;
  for (int i = 0; i < 360'000; ++i) {
    const float hundredths = static_cast<float>(i) / 10.0F;
    const double radians = static_cast<double>(hundredths) * std::numbers::pi / 18'000.0;
    const SinCos ours = sin_cos(hundredths);
    worst = std::max({worst, std::abs(static_cast<double>(ours.sin) - std::sin(radians)),
                      std::abs(static_cast<double>(ours.cos) - std::cos(radians))});
  }
  EXPECT_LT(worst, 1.5e-7);
}

// What a sensor sends; fractions come from interpolating, and are rounded to a float first.
TEST(SinCos, IsBetterThanATenMillionthAtEveryWholeHundredth) {
  for (int i = 0; i < 36'000; ++i) {
    const double radians = i * std::numbers::pi / 18'000.0;
    const SinCos ours = sin_cos(static_cast<float>(i));
    ASSERT_NEAR(static_cast<double>(ours.sin), std::sin(radians), 1e-7) << i;
    ASSERT_NEAR(static_cast<double>(ours.cos), std::cos(radians), 1e-7) << i;
  }
}

TEST(SinCos, IsExactAtTheQuarters) {
  EXPECT_EQ(sin_cos(0).sin, 0.0F);
  EXPECT_EQ(sin_cos(0).cos, 1.0F);
  EXPECT_EQ(sin_cos(9000).sin, 1.0F);
  EXPECT_EQ(sin_cos(18000).cos, -1.0F);
  EXPECT_EQ(sin_cos(27000).sin, -1.0F);
  EXPECT_EQ(sin_cos(36000).cos, 1.0F);
}

}  // namespace
}  // namespace penstock::kernels
