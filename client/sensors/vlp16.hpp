// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "client/sensors/scene.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace penstock {

// A VLP-16 that turns in a Scene and speaks the real wire format: VLP-16 User Manual 63-9243,
// chapter 9. Strongest return.
//
// Thread: one. Cost: allocates nothing after construction.
class Vlp16Simulator {
 public:
  static constexpr std::size_t kPacketBytes = 1206;
  static constexpr std::size_t kPositionBytes = 512;
  static constexpr double kPacketNs = 1'327'104;  // 24 firings of 55.296 µs

  // `hz`: turns per second, 5 to 20. `start_us`: the sensor's clock, microseconds of the hour, at
  // the first firing.
  Vlp16Simulator(const Scene& scene, double hz, std::uint32_t start_us);

  // The next data packet. It is due `due_ns()` after the first one.
  void next_packet(std::span<std::byte, kPacketBytes> out) noexcept;
  [[nodiscard]] std::int64_t due_ns() const noexcept;
  [[nodiscard]] std::uint64_t packets() const noexcept { return packets_; }

  // The position packet that goes with the last data packet: its $GPRMC sentence names a fixed day
  // and place.
  void position_packet(std::span<std::byte, kPositionBytes> out) const noexcept;

 private:
  struct Record {
    std::uint16_t distance;  // 2 mm
    std::uint8_t reflectivity;
  };
  [[nodiscard]] Record fire(double azimuth, std::size_t laser, double seconds) noexcept;
  [[nodiscard]] std::uint32_t stamp_us() const noexcept;

  const Scene& scene_;
  const double hz_;
  const std::uint32_t start_us_;
  std::uint64_t packets_ = 0;
  std::uint32_t noise_ = 0x2545F491;
  std::array<float, 16> sin_{};
  std::array<float, 16> cos_{};
};

}  // namespace penstock
