// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/vlp16.hpp"

#include "kernels/cpu/run.hpp"
#include "tests/support/captures.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <vector>

namespace penstock::kernels {
namespace {

using Payload = std::vector<std::byte>;

std::vector<Point> decode(const Payload& payload, std::uint16_t head = 0, std::uint16_t tail = 0) {
  std::vector<Point> points(payload.size() / vlp16::kPacketBytes * vlp16::kPointsPerPacket);
  const Job job{.payload = payload.data(),
                .payload_bytes = payload.size(),
                .result = reinterpret_cast<std::byte*>(points.data()),
                .kind = JobKind::vlp16,
                .skip_blocks_head = head,
                .skip_blocks_tail = tail};
  cpu::run({&job, 1});
  return points;
}

void put(Payload& payload, std::size_t at, std::uint64_t value, int bytes) {
  for (int i = 0; i < bytes; ++i) {
    payload[at + static_cast<std::size_t>(i)] = static_cast<std::byte>(value >> (8 * i));
  }
}

// A packet in which every laser sees something at `distance` (2 mm).
Payload packet(std::uint32_t azimuth, std::uint32_t stamp, int mode, std::uint64_t distance) {
  Payload bytes(vlp16::kPacketBytes);
  const bool dual = mode == 0x39;
  for (std::size_t block = 0; block < 12; ++block) {
    put(bytes, 100 * block, 0xEEFF, 2);
    put(bytes, 100 * block + 2, (azimuth + 40 * (dual ? block / 2 : block)) % 36000, 2);
    for (std::size_t record = 0; record < 32; ++record) {
      put(bytes, 100 * block + 4 + 3 * record, distance, 2);
      put(bytes, 100 * block + 6 + 3 * record, record + 1, 1);
    }
  }
  put(bytes, 1200, stamp, 4);
  put(bytes, 1204, static_cast<std::uint64_t>(mode), 1);
  put(bytes, 1205, 0x22, 1);
  return bytes;
}

std::size_t index(std::size_t packet, std::size_t block, std::size_t record) {
  return packet * 384 + block * 32 + record;
}

TEST(Vlp16, PlacesAPointWhereTrigonometrySaysItIs) {
  const auto points = decode(packet(4500, 0, 0x37, 5000));  // 10 m, at 45° to the right

  const Point& point = points[index(0, 0, 0)];  // laser 0: 15° down
  const double flat = 10.0 * std::cos(15 * std::numbers::pi / 180);
  EXPECT_NEAR(point.x, flat * std::numbers::sqrt2 / 2, 1e-5);
  EXPECT_NEAR(point.y, -flat * std::numbers::sqrt2 / 2, 1e-5);
  EXPECT_NEAR(point.z, -10.0 * std::sin(15 * std::numbers::pi / 180), 1e-5);
  EXPECT_EQ(point.intensity, 1.0F);
  EXPECT_EQ(point.ring, 0);
}

TEST(Vlp16, NumbersTheRingsFromTheLowestLaserToTheHighest) {
  const auto points = decode(packet(0, 0, 0x37, 5000));

  for (std::size_t a = 0; a < 16; ++a) {
    for (std::size_t b = 0; b < 16; ++b) {
      const bool lower = points[index(0, 0, a)].z < points[index(0, 0, b)].z;
      EXPECT_EQ(lower, points[index(0, 0, a)].ring < points[index(0, 0, b)].ring) << a << ' ' << b;
    }
  }
}

TEST(Vlp16, GivesNoPlaceToALaserThatSawNothing) {
  const auto points = decode(packet(0, 0, 0x37, 0));

  EXPECT_TRUE(std::isnan(points[index(0, 3, 5)].x));
  EXPECT_EQ(points[index(0, 3, 5)].intensity, 6.0F);
}

TEST(Vlp16, CountsTimeFromTheFirstFiringAlsoAcrossTheHour) {
  Payload payload = packet(0, 3'599'999'500, 0x37, 500);
  const Payload second = packet(480, 827, 0x37, 500);  // 1327 µs later
  payload.insert(payload.end(), second.begin(), second.end());

  const auto points = decode(payload);

  EXPECT_EQ(points[index(0, 0, 0)].time, 0.0F);
  EXPECT_NEAR(points[index(0, 0, 16)].time, 55.296e-6, 1e-9);
  EXPECT_NEAR(points[index(0, 1, 1)].time, 110.592e-6 + 2.304e-6, 1e-9);
  EXPECT_NEAR(points[index(1, 0, 0)].time, 1327e-6, 1e-8);
}

TEST(Vlp16, TurnsOnBetweenTwoBlocksAndAcrossTheCut) {
  const auto points = decode(packet(35980, 0, 0x37, 5000));  // blocks at 359.8°, 0.2°, 0.6° …

  const auto azimuth = [&](std::size_t block, std::size_t record) {
    const Point& p = points[index(0, block, record)];
    return std::fmod(std::atan2(-p.y, p.x) * 180 / std::numbers::pi + 360, 360);
  };
  EXPECT_NEAR(azimuth(0, 16), 0.0, 1e-3);
  EXPECT_NEAR(azimuth(1, 16), 0.4, 1e-3);
  EXPECT_NEAR(azimuth(11, 16), 4.4, 1e-3);  // the last block goes on as the one before it
}

TEST(Vlp16, DoesNotInterpolateAcrossAGapInThePacket) {
  Payload payload = packet(1000, 0, 0x37, 5000);
  for (std::size_t block = 6; block < 12; ++block) put(payload, 100 * block + 2, 9000, 2);

  const auto points = decode(payload);

  const Point& p = points[index(0, 5, 31)];
  EXPECT_NEAR(std::atan2(-p.y, p.x) * 180 / std::numbers::pi, 12.0, 1e-3);
}

TEST(Vlp16, KnowsWhichReturnABlockHolds) {
  EXPECT_EQ(decode(packet(0, 0, 0x37, 500))[0].ret, 0);
  EXPECT_EQ(decode(packet(0, 0, 0x38, 500))[0].ret, 1);
  Payload dual = packet(0, 0, 0x39, 500);
  put(dual, 100 + 6, 200, 1);  // odd block, record 0: stronger than the last return
  put(dual, 100 + 9, 0, 1);    // record 1: weaker

  const auto points = decode(dual);

  EXPECT_EQ(points[index(0, 0, 0)].ret, 1);
  EXPECT_EQ(points[index(0, 1, 0)].ret, 0);
  EXPECT_EQ(points[index(0, 1, 1)].ret, 2);
  EXPECT_EQ(points[index(0, 1, 0)].time, points[index(0, 0, 0)].time);  // one shot, two echoes
}

TEST(Vlp16, LeavesOutTheBlocksOfTheScansBeforeAndBehind) {
  Payload payload = packet(0, 0, 0x37, 500);
  const Payload second = packet(480, 1327, 0x37, 500);
  payload.insert(payload.end(), second.begin(), second.end());

  const auto points = decode(payload, 2, 3);

  EXPECT_TRUE(std::isnan(points[index(0, 1, 31)].x));
  EXPECT_FALSE(std::isnan(points[index(0, 2, 0)].x));
  EXPECT_FALSE(std::isnan(points[index(1, 8, 31)].x));
  EXPECT_TRUE(std::isnan(points[index(1, 9, 0)].x));
}

TEST(Vlp16, ReadsARealPacketAsItsSourceDoes) {
  PENSTOCK_NEEDS_CAPTURE("velodyne/einride_packet.bin");
  const auto payload = test::contents(test::capture("velodyne/einride_packet.bin"));

  const auto points = decode(payload);

  const auto range = [](const Point& p) {
    return std::sqrt(double{p.x} * p.x + double{p.y} * p.y + double{p.z} * p.z);
  };
  EXPECT_TRUE(std::isnan(points[0].x));  // channel 0: no return
  EXPECT_NEAR(range(points[1]), 0x2FF * 0.002, 1e-5);
  EXPECT_EQ(points[1].intensity, 3.0F);
  EXPECT_NEAR(range(points[3]), 0x310 * 0.002, 1e-5);
  EXPECT_EQ(points[3].intensity, 75.0F);
  EXPECT_NEAR(std::atan2(-points[1].y, points[1].x) * 180 / std::numbers::pi, 0x2866 / 100.0, 0.02);
}

}  // namespace
}  // namespace penstock::kernels
