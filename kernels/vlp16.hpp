// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/angle.hpp"
#include "kernels/host_device.hpp"
#include "kernels/job.hpp"

#include <cstddef>
#include <cstdint>

namespace penstock::kernels {

// One measured point, in the sensor's forward-left-up frame.
struct Point {
  float x, y, z;         // metres; not a number where the laser saw no return
  float intensity;       // calibrated reflectivity: 0 … 100 diffuse, 101 … 255 retroreflector
  float time;            // seconds since the first firing of the scan's first packet
  std::uint16_t ring;    // 0 … 15 from the lowest laser to the highest
  std::uint8_t ret;      // 0 strongest, 1 last, 2 second strongest
  std::uint8_t padding;  // 0
};
static_assert(sizeof(Point) == 24);

// The layout of VLP-16 data packets: Velodyne, VLP-16 User Manual 63-9243, chapter 9.
namespace vlp16 {

inline constexpr std::uint32_t kPacketBytes = 1206;
inline constexpr std::uint32_t kBlocks = 12;
inline constexpr std::uint32_t kBlockBytes = 100;
inline constexpr std::uint32_t kRecordsPerBlock = 32;  // two firings of 16 lasers
inline constexpr std::uint32_t kPointsPerPacket = kBlocks * kRecordsPerBlock;
inline constexpr std::uint8_t kDualReturn = 0x39;
inline constexpr std::uint8_t kLastReturn = 0x38;

PENSTOCK_HOST_DEVICE inline std::uint32_t u8(const std::byte* at) noexcept {
  return static_cast<std::uint32_t>(*at);
}
PENSTOCK_HOST_DEVICE inline std::uint32_t u16(const std::byte* at) noexcept {
  return u8(at) | u8(at + 1) << 8;
}
PENSTOCK_HOST_DEVICE inline std::uint32_t u32(const std::byte* at) noexcept {
  return u16(at) | u16(at + 2) << 16;
}

PENSTOCK_HOST_DEVICE inline std::uint32_t azimuth(const std::byte* packet,
                                                  std::uint32_t block) noexcept {
  return u16(packet + kBlockBytes * block + 2) % 36000;
}

// Hundredths of a degree that the head turns from this block to the next one in time. The last
// block has no next one in its packet and takes the step before it. A step of more than two degrees
// is a gap in the packet's view, not a turn: nothing is interpolated across it.
PENSTOCK_HOST_DEVICE inline std::uint32_t azimuth_step(const std::byte* packet, std::uint32_t block,
                                                       std::uint32_t blocks_a_step) noexcept {
  const std::uint32_t from =
      block + blocks_a_step < kBlocks ? block : block - block % blocks_a_step - blocks_a_step;
  const std::uint32_t step =
      (azimuth(packet, from + blocks_a_step) + 36000 - azimuth(packet, from)) % 36000;
  return step <= 200 ? step : 0;
}

// Microseconds from the first firing of `first` to that of `packet`. The counter begins anew every
// hour, and a packet may be a little older than the one before it: never a difference of an hour.
PENSTOCK_HOST_DEVICE inline float packet_offset_us(const std::byte* first,
                                                   const std::byte* packet) noexcept {
  constexpr std::int64_t kHour = 3'600'000'000;
  std::int64_t offset =
      static_cast<std::int64_t>(u32(packet + 1200)) - static_cast<std::int64_t>(u32(first + 1200));
  if (offset > kHour / 2) offset -= kHour;
  if (offset < -kHour / 2) offset += kHour;
  return static_cast<float>(offset);
}

// Which return a block holds. With two returns, even blocks hold the last one and odd blocks the
// strongest, or the second strongest where the last one is the strongest: then the odd block's
// record is weaker than the even block's.
PENSTOCK_HOST_DEVICE inline std::uint8_t return_of(const std::byte* packet, std::uint32_t block,
                                                   std::uint32_t record_at) noexcept {
  const std::uint32_t mode = u8(packet + 1204);
  if (mode != kDualReturn) return mode == kLastReturn ? 1 : 0;
  if (block % 2 == 0) return 1;
  const std::uint32_t last = u8(packet + kBlockBytes * (block - 1) + record_at + 2);
  return u8(packet + kBlockBytes * block + record_at + 2) < last ? 2 : 0;
}

}  // namespace vlp16

// Point `index` (packet-major, then block, firing, laser) of a payload of whole packets.
PENSTOCK_HOST_DEVICE inline Point vlp16_point(const Job& job, std::uint32_t index) noexcept {
  using namespace vlp16;  // NOLINT(google-build-using-namespace): its own constants
  // Sines and cosines of the lasers' elevations: -15°, 1°, -13°, 3° … -1°, 15°.
  constexpr float kSin[16] = {-0.25881905F, 0.01745241F, -0.22495105F, 0.05233596F,
                              -0.19080900F, 0.08715574F, -0.15643447F, 0.12186934F,
                              -0.12186934F, 0.15643447F, -0.08715574F, 0.19080900F,
                              -0.05233596F, 0.22495105F, -0.01745241F, 0.25881905F};
  constexpr float kCos[16] = {0.96592583F, 0.99984770F, 0.97437006F, 0.99862953F,
                              0.98162718F, 0.99619470F, 0.98768834F, 0.99254615F,
                              0.99254615F, 0.98768834F, 0.99619470F, 0.98162718F,
                              0.99862953F, 0.97437006F, 0.99984770F, 0.96592583F};
  constexpr float kNoReturn = __builtin_nanf("");

  const std::uint32_t packets = static_cast<std::uint32_t>(job.payload_bytes / kPacketBytes);
  const std::uint32_t which = index / kPointsPerPacket;
  const std::uint32_t block = index % kPointsPerPacket / kRecordsPerBlock;
  const std::uint32_t record = index % kRecordsPerBlock;
  const std::uint32_t firing = record / 16;
  const std::uint32_t laser = record % 16;
  const std::byte* const packet = job.payload + std::uint64_t{kPacketBytes} * which;
  const std::byte* const head = packet + kBlockBytes * block;

  const bool other_scan = (which == 0 && block < job.skip_blocks_head) ||
                          (which + 1 == packets && block >= kBlocks - job.skip_blocks_tail);
  if (other_scan || u16(head) != 0xEEFF) {
    return {kNoReturn, kNoReturn, kNoReturn, 0.0F, 0.0F, 0, 0, 0};
  }

  const std::uint32_t blocks_a_step = u8(packet + 1204) == kDualReturn ? 2 : 1;
  const std::uint32_t step = azimuth_step(packet, block, blocks_a_step);
  const float in_step =
      (static_cast<float>(firing) * 55.296F + static_cast<float>(laser) * 2.304F) / 110.592F;
  const float turned =
      static_cast<float>(azimuth(packet, block)) + static_cast<float>(step) * in_step;
  const SinCos a = sin_cos(turned >= 36000.0F ? turned - 36000.0F : turned);

  const std::uint32_t record_at = 4 + 3 * record;
  const std::uint32_t raw = u16(head + record_at);
  const float distance = static_cast<float>(raw) * 0.002F;
  const float flat = distance * kCos[laser];
  const std::uint32_t shot = block / blocks_a_step;  // both returns of a shot have its time
  const float firing_us =
      55.296F * static_cast<float>(2 * shot + firing) + 2.304F * static_cast<float>(laser);
  const float time = (packet_offset_us(job.payload, packet) + firing_us) * 1e-6F;
  const bool seen = raw != 0;
  return {seen ? flat * a.cos : kNoReturn,
          seen ? -flat * a.sin : kNoReturn,
          seen ? distance * kSin[laser] : kNoReturn,
          static_cast<float>(u8(head + record_at + 2)),
          time,
          static_cast<std::uint16_t>(laser % 2 == 0 ? laser / 2 : 8 + laser / 2),
          return_of(packet, block, record_at),
          0};
}

}  // namespace penstock::kernels
