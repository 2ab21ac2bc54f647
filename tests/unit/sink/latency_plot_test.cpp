// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#include "sink/latency_plot.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>
#include <vector>

namespace penstock {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

// The points of the n-th curve.
std::vector<std::pair<double, double>> curve(const std::string& svg, std::size_t n) {
  std::size_t at = 0;
  for (std::size_t i = 0; i <= n; ++i) at = svg.find("<polyline", at + 1);
  at = svg.find("points=\"", at) + 8;
  std::istringstream words{svg.substr(at, svg.find('"', at) - at)};
  std::vector<std::pair<double, double>> points;
  double x = 0, y = 0;
  char comma = 0;
  while (words >> x >> comma >> y) points.emplace_back(x, y);
  return points;
}

TEST(LatencyPlot, DrawsTheSlowerStreamAboveTheFasterOne) {
  Histogram fast, slow;
  for (int i = 0; i < 1000; ++i) {
    fast.record(20'000 + i);
    slow.record(900'000 + i);
  }
  const std::vector<LatencySeries> series{{"fast", &fast}, {"slow", &slow}};

  const std::string svg = latency_plot(series);

  const auto low = curve(svg, 0), high = curve(svg, 1);
  ASSERT_FALSE(low.empty());
  ASSERT_EQ(low.size(), high.size());
  for (std::size_t i = 0; i < low.size(); ++i) EXPECT_LT(high[i].second, low[i].second);
}

TEST(LatencyPlot, EndsACurveWhereTheNumberOfFramesSaysNoMore) {
  Histogram few, many;
  for (int i = 0; i < 100'000; ++i) {
    if (i < 100) few.record(1000);
    many.record(1000);
  }
  const std::vector<LatencySeries> series{{"few", &few}, {"many", &many}};

  const std::string svg = latency_plot(series);

  EXPECT_LT(curve(svg, 0).back().first, curve(svg, 1).back().first);
}

TEST(LatencyPlot, NamesEveryStreamAndItsNumbers) {
  Histogram none, one;
  one.record(5'000'000);
  const std::vector<LatencySeries> series{{"lidar_top", &one}, {"camera", &none}};

  EXPECT_THAT(latency_plot(series),
              AllOf(HasSubstr(">lidar_top<"), HasSubstr("1 frames"), HasSubstr("max 5 ms"),
                    HasSubstr(">camera<"), HasSubstr("no frames")));
}

TEST(LatencyPlot, StaysWellFormedWhateverAStreamIsCalled) {
  const Histogram none;
  const std::vector<LatencySeries> series{{"<a&\"b\">", &none}};

  EXPECT_THAT(latency_plot(series),
              AllOf(HasSubstr("&lt;a&amp;&quot;b&quot;&gt;"), Not(HasSubstr("<a&"))));
}

TEST(LatencyPlot, OfNoStreamsIsAPictureAllTheSame) {
  EXPECT_THAT(latency_plot({}), AllOf(HasSubstr("<svg"), HasSubstr("</svg>")));
}

}  // namespace
}  // namespace penstock
