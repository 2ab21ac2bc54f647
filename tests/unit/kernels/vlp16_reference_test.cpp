// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/cpu/run.hpp"
#include "kernels/vlp16.hpp"
#include "tests/support/captures.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>
#include <string_view>
#include <tuple>
#include <vector>

namespace penstock::kernels {
namespace {

using Payload = std::vector<std::byte>;

// One point of the reference cloud, as far as the test reads it.
struct Expected {
  double x, y, z;
  std::tuple<int, int, long> key;  // ring, intensity, distance in units of 2 mm: exact in both
};

template <class T>
T read(const std::byte* at) {
  T value;
  std::memcpy(&value, at, sizeof value);
  return value;
}

// Records of x y z, intensity, return type, channel, azimuth, elevation, distance, time stamp.
std::vector<Expected> reference_cloud(const Payload& file) {
  constexpr std::size_t kRecordBytes = 32;
  constexpr std::string_view kMark = "DATA binary\n";
  const auto mark = std::search(file.begin(), file.end(), kMark.begin(), kMark.end(),
                                [](std::byte a, char b) { return a == static_cast<std::byte>(b); });
  std::vector<Expected> cloud;
  if (mark == file.end()) return cloud;
  for (auto at = static_cast<std::size_t>(mark - file.begin()) + kMark.size();
       at + kRecordBytes <= file.size(); at += kRecordBytes) {
    const std::byte* const record = file.data() + at;
    cloud.push_back({read<float>(record),
                     read<float>(record + 4),
                     read<float>(record + 8),
                     {read<std::uint16_t>(record + 14), read<std::uint8_t>(record + 12),
                      std::lround(read<float>(record + 24) * 500.0F)}});
  }
  return cloud;
}

struct Candidate {
  Point point;
  std::size_t block;
  bool repeats;  // an odd block's record that says the same as the even block's
};

using Candidates = std::map<std::tuple<int, int, long>, std::vector<Candidate>>;

// The points that the kernel finds in all packets at once, of the packets from `first` on.
Candidates candidates(const Payload& payload, std::size_t first) {
  std::vector<Point> points(payload.size() / vlp16::kPacketBytes * vlp16::kPointsPerPacket);
  const Job job{.payload = payload.data(),
                .payload_bytes = payload.size(),
                .result = reinterpret_cast<std::byte*>(points.data()),
                .kind = JobKind::vlp16};
  cpu::run({&job, 1});
  Candidates found;
  for (std::size_t i = first * 384; i < points.size(); ++i) {
    const std::size_t block = i % 384 / 32;
    const std::byte* const record =
        payload.data() + i / 384 * 1206 + 100 * block + 4 + 3 * (i % 32);
    const auto raw = read<std::uint16_t>(record);
    const bool repeats = block % 2 == 1 && std::equal(record, record + 3, record - 100);
    if (raw != 0) {
      found[{points[i].ring, static_cast<int>(points[i].intensity), raw}].push_back(
          {points[i], block, repeats});
    }
  }
  return found;
}

double apart(const Expected& a, const Point& b) {
  return std::hypot(a.x - double{b.x}, a.y - double{b.y}, a.z - double{b.z});
}

// The reference interpolates the azimuth of odd blocks and of the last pair otherwise than the
// manual says, up to 5 cm. A point can be told to come from another block when nothing within those
// 5 cm is like it but records of even blocks, and of odd blocks that repeat them.
TEST(Vlp16Reference, EveryPointOfAnotherDecodersCloudHasItsTwin) {
  PENSTOCK_NEEDS_CAPTURE("velodyne/vlp16.pcap");
  PENSTOCK_NEEDS_CAPTURE("velodyne/1673400472138016708.vlp16.pcd");
  constexpr std::size_t kFirstOfTurn = 452;  // the cloud is the last turn of the capture
  const auto packets = test::payloads(test::capture("velodyne/vlp16.pcap"), 1206);
  Payload payload;
  for (const Payload& packet : packets) payload.insert(payload.end(), packet.begin(), packet.end());
  const auto cloud =
      reference_cloud(test::contents(test::capture("velodyne/1673400472138016708.vlp16.pcd")));
  ASSERT_EQ(packets.size(), 603u);
  ASSERT_EQ(cloud.size(), 14'831u);

  const Candidates found = candidates(payload, kFirstOfTurn);

  std::size_t told = 0;
  for (std::size_t i = 0; i < cloud.size(); ++i) {
    const auto alike = found.find(cloud[i].key);
    ASSERT_NE(alike, found.end()) << "point " << i;
    double nearest = 1e9;
    bool can_be_told = true;
    for (const Candidate& candidate : alike->second) {
      const double distance = apart(cloud[i], candidate.point);
      nearest = std::min(nearest, distance);
      if (distance > 0.05) continue;
      can_be_told =
          can_be_told && candidate.block < 10 && (candidate.block % 2 == 0 || candidate.repeats);
    }
    ASSERT_LE(nearest, 0.05) << "point " << i;
    if (!can_be_told) continue;
    ASSERT_LE(nearest, 0.002) << "point " << i;
    ++told;
  }
  EXPECT_GT(told, cloud.size() / 2);
  RecordProperty("told", static_cast<int>(told));
}

}  // namespace
}  // namespace penstock::kernels
