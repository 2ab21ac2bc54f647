// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#include "net/formats/vlp16.hpp"

#include "tests/support/captures.hpp"
#include "tests/support/vlp16_packets.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace penstock {
namespace {

using Kind = PacketVerdict::Kind;
using Seam = PacketVerdict::Seam;
using test::Vlp16Packets;

// The seams of a run of packets, and what is known to be lost in the end.
struct Outcome {
  std::vector<std::uint64_t> seams;
  std::uint64_t lost = 0;
  std::uint64_t late = 0;
  std::uint64_t gaps = 0;

  void take(Vlp16Assembler& assembler, std::uint64_t n, std::span<const std::byte> packet) {
    const PacketVerdict verdict = assembler.judge(packet);
    EXPECT_NE(verdict.kind, Kind::reject) << n;
    if (verdict.seam != Seam::none) seams.push_back(n);
    lost += verdict.known_lost;
    late += verdict.kind == Kind::late ? 1 : 0;
    gaps += verdict.gap_before ? 1 : 0;
  }
};

template <class Keep>
Outcome run(const Vlp16Packets& packets, std::uint64_t count, const Keep& keep) {
  Vlp16Assembler assembler;
  Outcome result;
  for (std::uint64_t n = 0; n < count; ++n) {
    if (keep(n)) result.take(assembler, n, packets.at(n));
  }
  result.lost += assembler.end_of_run();
  return result;
}

TEST(Vlp16Assembler, CutsWhereTheAzimuthPasses0) {
  // 75.35 packets a turn; the first begins just behind the cut.
  EXPECT_EQ(run(Vlp16Packets{}, 300, [](auto) { return true; }).seams,
            (std::vector<std::uint64_t>{0, 75, 150, 226}));
}

TEST(Vlp16Assembler, SaysHowAPacketIsShared) {
  Vlp16Assembler assembler;
  const Vlp16Packets packets{35600};  // 359.9…: the cut lies in the first packet's second half
  const PacketVerdict verdict = assembler.judge(packets.at(0));

  EXPECT_EQ(verdict.seam, Seam::inside);
  EXPECT_EQ(verdict.blocks_before_seam, 11);
  EXPECT_EQ(verdict.blocks_after_seam, 1);
}

TEST(Vlp16Assembler, CountsPacketsThatNeverCame) {
  const Outcome lossy = run(Vlp16Packets{}, 300, [](auto n) { return n < 30 || n > 32; });

  EXPECT_EQ(lossy.lost, 3u);
  EXPECT_EQ(lossy.gaps, 1u);
}

TEST(Vlp16Assembler, CountsLossAcrossTheSeamOnce) {
  const Outcome lossy = run(Vlp16Packets{}, 300, [](auto n) { return n < 74 || n > 76; });

  EXPECT_EQ(lossy.lost, 3u);
  EXPECT_EQ(lossy.seams, (std::vector<std::uint64_t>{0, 77, 150, 226}));
}

TEST(Vlp16Assembler, DoesNotTakeALimitedFieldOfViewForLoss) {
  // Silent for the same half of every turn: 50 ms.
  const Vlp16Packets packets;
  const auto in_view = [&](std::uint64_t n) {
    const auto packet = packets.at(n);
    const int azimuth = std::to_integer<int>(packet[2]) | std::to_integer<int>(packet[3]) << 8;
    return azimuth < 9000 || azimuth >= 27000;
  };

  const Outcome limited = run(packets, 75 * 8, in_view);

  EXPECT_EQ(limited.lost, 0u);
  EXPECT_EQ(limited.gaps, 1u) << "only the first turn cannot know it yet";
}

TEST(Vlp16Assembler, DoesNotCutWhereMostOfATurnIsMissingButNot0) {
  // From 19° to 334°: only the turn's own cut follows.
  const Outcome lossy = run(Vlp16Packets{}, 100, [](auto n) { return n < 4 || n >= 70; });

  EXPECT_EQ(lossy.seams, (std::vector<std::uint64_t>{0, 75}));
  EXPECT_EQ(lossy.lost, 66u);
}

TEST(Vlp16Assembler, CutsWhereAWholeTurnIsMissing) {
  const Outcome lossy = run(Vlp16Packets{}, 140, [](auto n) { return n < 20 || n >= 110; });

  EXPECT_EQ(lossy.seams, (std::vector<std::uint64_t>{0, 110}));
}

TEST(Vlp16Assembler, StillSeesLossWithALimitedFieldOfView) {
  const Vlp16Packets packets;
  const auto keep = [&](std::uint64_t n) {
    const auto packet = packets.at(n);
    const int azimuth = std::to_integer<int>(packet[2]) | std::to_integer<int>(packet[3]) << 8;
    return (azimuth < 9000 || azimuth >= 27000) && n != 235 && n != 236;
  };
  EXPECT_EQ(run(packets, 75 * 8, keep).lost, 2u);
}

TEST(Vlp16Assembler, PutsAnOvertakenPacketBackIntoTheBooks) {
  Vlp16Assembler assembler;
  const Vlp16Packets packets;
  Outcome result;
  for (std::uint64_t n = 0; n < 200; ++n) {
    const std::uint64_t swapped = n == 40 ? 41 : n == 41 ? 40 : n;
    result.take(assembler, swapped, packets.at(swapped));
  }
  result.lost += assembler.end_of_run();

  EXPECT_EQ(result.lost, 0u);
  EXPECT_EQ(result.seams.size(), 3u);
}

TEST(Vlp16Assembler, KnowsAPacketWhoseScanIsClosed) {
  Vlp16Assembler assembler;
  const Vlp16Packets packets;
  Outcome result;
  for (std::uint64_t n = 0; n < 100; ++n) {
    if (n != 70) result.take(assembler, n, packets.at(n));
  }
  result.take(assembler, 70, packets.at(70));
  result.lost += assembler.end_of_run();

  EXPECT_EQ(result.late, 1u);
  EXPECT_EQ(result.lost, 0u);
  EXPECT_EQ(result.seams, (std::vector<std::uint64_t>{0, 75}));
}

TEST(Vlp16Assembler, GoesOnAcrossTheHour) {
  const Outcome hour = run(Vlp16Packets{0, 3'599'950'000}, 300, [](auto) { return true; });

  EXPECT_EQ(hour.lost, 0u);
  EXPECT_EQ(hour.seams.size(), 4u);
}

TEST(Vlp16Assembler, CountsNothingWhenTheSensorBeginsAnew) {
  Vlp16Assembler assembler;
  Outcome result;
  const Vlp16Packets before{0, 2'000'000'000};
  const Vlp16Packets after{0, 5'000};
  for (std::uint64_t n = 0; n < 100; ++n) result.take(assembler, n, before.at(n));
  for (std::uint64_t n = 0; n < 100; ++n) result.take(assembler, n, after.at(n));
  result.lost += assembler.end_of_run();

  EXPECT_EQ(result.lost, 0u);
}

TEST(Vlp16Assembler, CountsAnOutageOfSeconds) {
  const Outcome outage = run(Vlp16Packets{}, 3000, [](auto n) { return n < 100 || n >= 2000; });

  EXPECT_EQ(outage.lost, 1900u);
}

TEST(Vlp16Assembler, RefusesWhatIsNoPacketOfThisSensor) {
  Vlp16Assembler assembler;
  const auto broken = [&](std::size_t at, std::uint64_t value, std::size_t bytes) {
    auto packet = Vlp16Packets{}.at(5);
    test::put(packet, at, value, bytes);
    return assembler.judge(packet);
  };
  EXPECT_EQ(broken(0, 0xDDFF, 2).kind, Kind::reject);
  EXPECT_EQ(broken(1100, 0, 2).kind, Kind::reject);
  EXPECT_EQ(broken(302, 36000, 2).kind, Kind::reject);
  EXPECT_EQ(broken(1204, 0x36, 1).kind, Kind::reject);
  EXPECT_EQ(broken(1205, 0x21, 1).cause, PacketReject::malformed);
  EXPECT_EQ(broken(1205, 0x24, 1).kind, Kind::reject) << "a Puck Hi-Res has other elevations";
  const auto packet = Vlp16Packets{}.at(5);
  EXPECT_EQ(assembler.judge(std::span{packet}.first(1205)).cause, PacketReject::unexpected_length);
  EXPECT_EQ(assembler.judge(packet).kind, Kind::data);
}

TEST(Vlp16Assembler, FindsTheTurnsOfARealSensor) {
  PENSTOCK_NEEDS_CAPTURE("velodyne/vlp16.pcap");
  const auto packets = test::payloads(test::capture("velodyne/vlp16.pcap"), 1206);
  ASSERT_EQ(packets.size(), 603u);
  Vlp16Assembler assembler;
  Outcome result;
  for (std::uint64_t n = 0; n < packets.size(); ++n) result.take(assembler, n, packets[n]);
  result.lost += assembler.end_of_run();

  EXPECT_EQ(result.seams, (std::vector<std::uint64_t>{0, 150, 301, 452, 602}));
  EXPECT_EQ(result.lost, 0u);
}

}  // namespace
}  // namespace penstock
