// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace penstock::test {

using Vlp16Packet = std::array<std::byte, 1206>;

inline void put(Vlp16Packet& packet, std::size_t at, std::uint64_t value, std::size_t bytes) {
  for (std::size_t i = 0; i < bytes; ++i) packet[at + i] = static_cast<std::byte>(value >> (8 * i));
}

// A sensor that turns at 10 Hz (single return), so that packet n covers the azimuths from n
// × 4.778°. `first` is the azimuth of the first packet, `stamp` its clock. Every packet differs in
// its last record, which holds its number.
class Vlp16Packets {
 public:
  explicit Vlp16Packets(double first = 0, std::uint32_t stamp = 1'000'000)
      : azimuth_{first}, stamp_{stamp} {}

  static constexpr double kStep = 36000 * 10 * 110.592e-6;  // hundredths of a degree a block
  static constexpr double kPeriodUs = 1327.104;

  [[nodiscard]] Vlp16Packet at(std::uint64_t n) const {
    Vlp16Packet packet{};
    for (std::size_t block = 0; block < 12; ++block) {
      const double turned =
          azimuth_ + kStep * (static_cast<double>(12 * n) + static_cast<double>(block));
      put(packet, 100 * block, 0xEEFF, 2);
      put(packet, 100 * block + 2, static_cast<std::uint64_t>(turned) % 36000, 2);
    }
    put(packet, 1197, n, 2);
    const auto since = static_cast<std::uint64_t>(static_cast<double>(n) * kPeriodUs);
    put(packet, 1200, (stamp_ + since) % 3'600'000'000u, 4);
    put(packet, 1204, 0x37, 1);
    put(packet, 1205, 0x22, 1);
    return packet;
  }

 private:
  double azimuth_;
  std::uint32_t stamp_;
};

}  // namespace penstock::test
