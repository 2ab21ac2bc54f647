// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#include "net/formats/vlp16.hpp"
#include "tests/support/vlp16_packets.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <tuple>
#include <vector>

namespace penstock {
namespace {

using test::Vlp16Packets;

// How a sensor with a limited field of view fills packets: whole packets are left out, or a packet
// goes on where the view begins anew.
enum class Blind : std::uint8_t { between_packets, inside_packets };

class Vlp16FieldOfView : public testing::TestWithParam<std::tuple<int, int, Blind>> {
 protected:
  [[nodiscard]] bool sees(std::uint32_t azimuth) const {
    const auto from = static_cast<std::uint32_t>(std::get<0>(GetParam()) * 100);
    return (azimuth + 36000 - from) % 36000 <
           static_cast<std::uint32_t>(std::get<1>(GetParam()) * 100);
  }
  static std::uint32_t azimuth(const test::Vlp16Packet& packet, std::size_t block) {
    return std::to_integer<std::uint32_t>(packet[100 * block + 2]) |
           std::to_integer<std::uint32_t>(packet[100 * block + 3]) << 8;
  }

  // The packets of ten turns and a little.
  [[nodiscard]] std::vector<test::Vlp16Packet> packets() const {
    const Vlp16Packets all;
    std::vector<test::Vlp16Packet> sent;
    test::Vlp16Packet filling{};
    std::size_t filled = 0;
    for (std::uint64_t n = 0; n < 760; ++n) {
      const test::Vlp16Packet packet = all.at(n);
      if (std::get<2>(GetParam()) == Blind::between_packets) {
        if (sees(azimuth(packet, 0))) sent.push_back(packet);
        continue;
      }
      for (std::size_t block = 0; block < 12; ++block) {
        if (!sees(azimuth(packet, block))) continue;
        if (filled == 0) filling = packet;
        if (filled == 0) {
          const double us = (12.0 * static_cast<double>(n) + static_cast<double>(block)) * 110.592;
          test::put(filling, 1200, 1'000'000 + static_cast<std::uint64_t>(us), 4);
        }
        std::copy_n(packet.begin() + 100 * static_cast<std::ptrdiff_t>(block), 100,
                    filling.begin() + 100 * static_cast<std::ptrdiff_t>(filled));
        if (++filled == 12) sent.push_back(filling);
        filled %= 12;
      }
    }
    return sent;
  }
};

TEST_P(Vlp16FieldOfView, IsCutOnceATurnAndIsNoLoss) {
  Vlp16Assembler assembler;
  std::uint64_t seams = 0;
  std::uint64_t lost = 0;
  std::uint64_t gaps = 0;

  for (const test::Vlp16Packet& packet : packets()) {
    const PacketVerdict verdict = assembler.judge(packet);
    seams += verdict.seam != PacketVerdict::Seam::none ? 1 : 0;
    gaps += verdict.gap_before ? 1 : 0;
    lost += verdict.known_lost;
  }
  lost += assembler.end_of_run();

  EXPECT_GE(seams, 9u);
  EXPECT_LE(seams, 11u);
  EXPECT_EQ(lost, 0u);
  EXPECT_LE(gaps, 1u) << "only the first turn cannot know it yet";
}

INSTANTIATE_TEST_SUITE_P(
    Windows, Vlp16FieldOfView,
    testing::Combine(testing::Values(0, 20, 90, 100, 140, 180, 200, 260, 280, 300, 320, 340),
                     testing::Values(40, 80, 100, 140, 170, 180, 200, 270),
                     testing::Values(Blind::between_packets, Blind::inside_packets)),
    [](const auto& window) {
      return "From" + std::to_string(std::get<0>(window.param)) + "Wide" +
             std::to_string(std::get<1>(window.param)) +
             (std::get<2>(window.param) == Blind::between_packets ? "Between" : "Inside");
    });

}  // namespace
}  // namespace penstock
