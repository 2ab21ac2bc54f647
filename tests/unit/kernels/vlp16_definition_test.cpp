// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/cpu/run.hpp"
#include "kernels/vlp16.hpp"
#include "tests/support/captures.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

namespace penstock::kernels {
namespace {

using Payload = std::vector<std::byte>;

struct Expected {
  double x, y, z, intensity, time;
  int ring, ret;
  bool seen;
};

// The manual's text in double precision, one field after the other, sharing nothing with the
// kernel: elevations in degrees, rings by counting, sines of the C library.
class Naive {
 public:
  explicit Naive(const Payload& payload) : payload_{payload} {}

  [[nodiscard]] Expected point(std::size_t index) const {
    static constexpr double kElevation[16] = {-15, 1, -13, 3,  -11, 5,  -9, 7,
                                              -7,  9, -5,  11, -3,  13, -1, 15};
    const std::size_t packet = index / 384;
    const std::size_t block = index / 32 % 12;
    const std::size_t firing = index / 16 % 2;
    const std::size_t laser = index % 16;
    const long mode = number(packet, 1204, 1);
    const std::size_t returns = mode == 0x39 ? 2 : 1;
    const std::size_t record = 100 * block + 4 + 3 * (index % 32);

    const double within = 55.296 * static_cast<double>(firing) + 2.304 * static_cast<double>(laser);
    const double a =
        radians((static_cast<double>(azimuth(packet, block)) +
                 static_cast<double>(turn(packet, block, returns)) * within / 110.592) /
                100);
    const double w = radians(kElevation[laser]);
    const double r = 0.002 * static_cast<double>(number(packet, record, 2));
    int ring = 0;
    for (const double other : kElevation) ring += other < kElevation[laser] ? 1 : 0;
    int ret = mode == 0x38 ? 1 : 0;
    if (returns == 2) {
      const bool weaker =
          block % 2 == 1 && number(packet, record + 2, 1) < number(packet, record + 2 - 100, 1);
      ret = block % 2 == 0 ? 1 : weaker ? 2 : 0;
    }
    const double since_first = static_cast<double>(number(packet, 1200, 4) - number(0, 1200, 4)) +
                               110.592 * static_cast<double>(block / returns) + within;
    return {r * std::cos(w) * std::cos(a),
            -r * std::cos(w) * std::sin(a),
            r * std::sin(w),
            static_cast<double>(number(packet, record + 2, 1)),
            since_first * 1e-6,
            ring,
            ret,
            r != 0};
  }

 private:
  static double radians(double degrees) { return degrees * std::numbers::pi / 180; }

  [[nodiscard]] long number(std::size_t packet, std::size_t at, std::size_t bytes) const {
    long value = 0;
    for (std::size_t i = bytes; i-- > 0;) {
      value = 256 * value + std::to_integer<long>(payload_[1206 * packet + at + i]);
    }
    return value;
  }
  [[nodiscard]] long azimuth(std::size_t packet, std::size_t block) const {
    return number(packet, 100 * block + 2, 2);
  }
  // From this block to the next shot; the last shot turns as the one before it did.
  [[nodiscard]] long turn(std::size_t packet, std::size_t block, std::size_t returns) const {
    const std::size_t shot = std::min(block / returns, 12 / returns - 2);
    const long step = azimuth(packet, (shot + 1) * returns) - azimuth(packet, shot * returns);
    const long forward = step < 0 ? step + 36000 : step;
    return forward > 200 ? 0 : forward;
  }

  const Payload& payload_;
};

// Tolerances: a float holds 360.00° to 0.004 hundredths, so that a place is right to a millionth of
// its distance; and 0.4 s to 30 ns.
void expect_as_defined(const std::string& name, std::size_t packets_expected) {
  Payload payload;
  std::size_t packets = 0;
  for (const Payload& packet : test::payloads(test::capture(name), 1206)) {
    payload.insert(payload.end(), packet.begin(), packet.end());
    ++packets;
  }
  ASSERT_EQ(packets, packets_expected);
  std::vector<Point> points(packets * 384);
  const Job job{.payload = payload.data(),
                .payload_bytes = payload.size(),
                .result = reinterpret_cast<std::byte*>(points.data()),
                .kind = JobKind::vlp16};

  cpu::run({&job, 1});

  const Naive naive{payload};
  for (std::size_t i = 0; i < points.size(); ++i) {
    const Expected expected = naive.point(i);
    const Point& point = points[i];
    ASSERT_EQ(point.ring, expected.ring) << i;
    ASSERT_EQ(point.ret, expected.ret) << i;
    ASSERT_EQ(point.padding, 0) << i;
    ASSERT_EQ(point.intensity, expected.intensity) << i;
    ASSERT_NEAR(point.time, expected.time, 1e-7) << i;
    if (!expected.seen) {
      for (const float v : {point.x, point.y, point.z}) {
        ASSERT_EQ(std::bit_cast<std::uint32_t>(v), 0x7FC0'0000u) << i;
      }
      continue;
    }
    const double near = 1e-6 * std::hypot(expected.x, expected.y, expected.z);
    ASSERT_NEAR(point.x, expected.x, near) << i;
    ASSERT_NEAR(point.y, expected.y, near) << i;
    ASSERT_NEAR(point.z, expected.z, near) << i;
  }
}

TEST(Vlp16Definition, HoldsForEveryPointOfACaptureWithTwoReturns) {
  PENSTOCK_NEEDS_CAPTURE("velodyne/vlp16.pcap");
  expect_as_defined("velodyne/vlp16.pcap", 603);
}

TEST(Vlp16Definition, HoldsForEveryPointOfACaptureWithOneReturn) {
  PENSTOCK_NEEDS_CAPTURE("velodyne/mrpt_vlp16_gps.pcap");
  expect_as_defined("velodyne/mrpt_vlp16_gps.pcap", 293);
}

}  // namespace
}  // namespace penstock::kernels
