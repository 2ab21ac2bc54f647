// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#include "client/sensors/imu.hpp"

#include <cmath>
#include <cstring>

namespace penstock {

void write_imu_sample(std::int64_t time_ns, double seconds,
                      std::span<std::byte, kImuSampleBytes> out) noexcept {
  const double engine = std::sin(seconds * 160.0);  // about 1500 revolutions a minute
  const double sway = std::sin(seconds * 2.1);
  const double values[6] = {0.05 * engine,           0.04 * sway + 0.02 * engine,
                            9.80665 + 0.08 * engine, 0.004 * sway,
                            0.002 * engine,          0.001 * std::cos(seconds * 0.3)};
  std::memcpy(out.data(), &time_ns, sizeof time_ns);
  std::memcpy(out.data() + sizeof time_ns, values, sizeof values);
}

ImuSimulator::ImuSimulator(double hz, std::uint32_t samples_per_frame, std::int64_t start_ns)
    : hz_{hz},
      samples_per_frame_{samples_per_frame},
      start_ns_{start_ns},
      samples_(kImuSampleBytes * samples_per_frame) {}

double ImuSimulator::seconds(std::uint64_t sample) const noexcept {
  return static_cast<double>(sample) / hz_;
}

std::int64_t ImuSimulator::due_ns(std::uint64_t number) const noexcept {
  return static_cast<std::int64_t>(seconds((number + 1) * samples_per_frame_ - 1) * 1e9);
}

std::span<const std::byte> ImuSimulator::frame(std::uint64_t number) noexcept {
  for (std::uint32_t i = 0; i < samples_per_frame_; ++i) {
    const double since = seconds(number * samples_per_frame_ + i);
    write_imu_sample(start_ns_ + static_cast<std::int64_t>(since * 1e9), since,
                     std::span{samples_}.subspan(kImuSampleBytes * i).first<kImuSampleBytes>());
  }
  return samples_;
}

}  // namespace penstock
