// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#include "sink/birds_eye.hpp"

#include "tests/unit/sink/frames.hpp"

#include <gtest/gtest.h>

namespace penstock {
namespace {

using test::Record;

constexpr int kMiddle = static_cast<int>(kBirdsEyeSide) / 2;

RgbImage picture(const std::vector<Record>& points) {
  return birds_eye(test::kRecords, points.size(), test::bytes_of_all(points), "");
}

// Pixels near a place that are as bright as only points are. The legend and the sensor are as
// bright; the places looked at here are away from them.
int bright(const RgbImage& image, int x, int y) {
  int count = 0;
  for (int row = y - 4; row <= y + 4; ++row) {
    for (int column = x - 4; column <= x + 4; ++column) {
      const Rgb p = image.at(static_cast<std::uint32_t>(column), static_cast<std::uint32_t>(row));
      count += std::max({p.r, p.g, p.b}) > 150;
    }
  }
  return count;
}

// All 20 m away, so that the scale is the same for each: 20 m are 20/21 of the way to the margin.
std::vector<Record> at_20_m(float x, float y) {
  return std::vector<Record>(50, Record{.x = 20 * x, .y = 20 * y});
}
constexpr int kAway = 549;

TEST(BirdsEye, ShowsWhatIsAheadAboveTheMiddle) {
  const RgbImage image = picture(at_20_m(1, 0));

  EXPECT_GT(bright(image, kMiddle, kMiddle - kAway), 0);
  EXPECT_EQ(bright(image, kMiddle, kMiddle + kAway), 0);
}

TEST(BirdsEye, ShowsWhatIsOnTheLeftOnTheLeft) {
  const RgbImage image = picture(at_20_m(0, 1));

  EXPECT_GT(bright(image, kMiddle - kAway, kMiddle), 0);
  EXPECT_EQ(bright(image, kMiddle + kAway, kMiddle), 0);
}

TEST(BirdsEye, ColoursByHeight) {
  std::vector<Record> points = at_20_m(1, 0);
  for (Record& p : points) p.z = -1;
  for (const Record& high : at_20_m(0, 1)) points.push_back({.x = high.x, .y = high.y, .z = 3});
  const RgbImage image = picture(points);

  const Rgb low = image.at(kMiddle, kMiddle - kAway);
  const Rgb high = image.at(kMiddle - kAway, kMiddle);

  EXPECT_LT(low.r + low.g + low.b, high.r + high.g + high.b);
}

TEST(BirdsEye, KeepsItsScaleWhenAFewPointsAreFarAway) {
  std::vector<Record> points = at_20_m(1, 0);
  points.push_back({.x = 1e30f, .y = -1e30f});

  EXPECT_GT(bright(picture(points), kMiddle, kMiddle - kAway), 0);
}

TEST(BirdsEye, DrawsItsFrameForACloudWithoutPoints) {
  const RgbImage image = picture({Record{.x = test::kNoReturn}});

  EXPECT_EQ(image.width(), kBirdsEyeSide);
  EXPECT_EQ(image.height(), kBirdsEyeSide);
  EXPECT_EQ(bright(image, kMiddle, kMiddle - kAway), 0);
}

}  // namespace
}  // namespace penstock
