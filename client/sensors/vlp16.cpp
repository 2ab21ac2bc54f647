// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#include "client/sensors/vlp16.hpp"

#include "net/wire/bytes.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <numbers>

namespace penstock {
namespace {

using wire::put;

constexpr std::size_t kBlocks = 12;
constexpr std::size_t kBlockBytes = 100;
constexpr double kFiringUs = 55.296;
constexpr double kLaserUs = 2.304;
constexpr std::uint64_t kHourUs = 3'600'000'000;
constexpr std::array kElevations{-15, 1, -13, 3, -11, 5, -9, 7, -7, 9, -5, 11, -3, 13, -1, 15};
constexpr Vec3 kMount{0, 0, 1.8F};
constexpr float kLeastRange = 0.5F;
constexpr float kMostRange = 100.0F;

constexpr double radians(double degrees) noexcept { return degrees * std::numbers::pi / 180.0; }

}  // namespace

Vlp16Simulator::Vlp16Simulator(const Scene& scene, double hz, std::uint32_t start_us)
    : scene_{scene}, hz_{hz}, start_us_{start_us} {
  for (std::size_t laser = 0; laser < kElevations.size(); ++laser) {
    sin_[laser] = static_cast<float>(std::sin(radians(kElevations[laser])));
    cos_[laser] = static_cast<float>(std::cos(radians(kElevations[laser])));
  }
}

std::int64_t Vlp16Simulator::due_ns() const noexcept {
  return static_cast<std::int64_t>(static_cast<double>(packets_) * kPacketNs);
}

std::uint32_t Vlp16Simulator::stamp_us() const noexcept {
  const auto since = static_cast<std::uint64_t>(due_ns()) / 1000;
  return static_cast<std::uint32_t>((start_us_ + since) % kHourUs);
}

Vlp16Simulator::Record Vlp16Simulator::fire(double azimuth, std::size_t laser,
                                            double seconds) noexcept {
  const auto a = static_cast<float>(radians(azimuth));
  const Vec3 direction{cos_[laser] * std::cos(a), -cos_[laser] * std::sin(a), sin_[laser]};
  const auto hit = scene_.cast(kMount, direction, static_cast<float>(seconds), kMostRange);
  if (!hit || hit->distance < kLeastRange) return {0, 0};
  // ± 2 cm, as the data sheet says of the real one.
  noise_ ^= noise_ << 13;
  noise_ ^= noise_ >> 17;
  noise_ ^= noise_ << 5;
  const float error = (static_cast<float>(noise_ & 0xFFFF) / 65535.0F - 0.5F) * 0.04F;
  return {static_cast<std::uint16_t>(std::lround((hit->distance + error) * 500.0F)),
          Scene::reflectivity(hit->material)};
}

void Vlp16Simulator::next_packet(std::span<std::byte, kPacketBytes> out) noexcept {
  const double begin_s = static_cast<double>(packets_) * kPacketNs * 1e-9;
  for (std::size_t block = 0; block < kBlocks; ++block) {
    const std::size_t at = kBlockBytes * block;
    const double block_s = begin_s + 2e-6 * kFiringUs * static_cast<double>(block);
    put(std::span<std::byte>{out}, at, std::uint16_t{0xEEFF});
    put(std::span<std::byte>{out}, at + 2,
        static_cast<std::uint16_t>(std::fmod(block_s * hz_, 1.0) * 36000.0));
    for (std::size_t record = 0; record < 32; ++record) {
      const double s = block_s + 1e-6 * (kFiringUs * (record < 16 ? 0.0 : 1.0) +
                                         kLaserUs * static_cast<double>(record % 16));
      const Record seen = fire(std::fmod(s * hz_, 1.0) * 360.0, record % 16, s);
      put(std::span<std::byte>{out}, at + 4 + 3 * record, seen.distance);
      put(std::span<std::byte>{out}, at + 6 + 3 * record, seen.reflectivity);
    }
  }
  put(std::span<std::byte>{out}, 1200, stamp_us());
  put(std::span<std::byte>{out}, 1204, std::uint8_t{0x37});
  put(std::span<std::byte>{out}, 1205, std::uint8_t{0x22});
  ++packets_;
}

void Vlp16Simulator::position_packet(std::span<std::byte, kPositionBytes> out) const noexcept {
  std::fill(out.begin(), out.end(), std::byte{0});
  const std::uint32_t stamp = stamp_us();
  put(std::span<std::byte>{out}, 0xC6, stamp);
  put(std::span<std::byte>{out}, 0xCA, std::uint8_t{2});  // PPS locked
  char sentence[96];
  const unsigned seconds = stamp / 1'000'000;
  int length = std::snprintf(sentence, sizeof sentence,
                             "$GPRMC,12%02u%02u,A,4852.5000,N,00221.0000,E,000.0,000.0,010126,,,A",
                             seconds / 60 % 60, seconds % 60);
  unsigned check = 0;
  for (int i = 1; i < length; ++i) check ^= static_cast<unsigned char>(sentence[i]);
  length += std::snprintf(sentence + length, sizeof sentence - static_cast<std::size_t>(length),
                          "*%02X\r\n", check);
  std::memcpy(out.data() + 0xCE, sentence, static_cast<std::size_t>(length));
}

}  // namespace penstock
