// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace penstock {

inline constexpr std::size_t kImuSampleBytes = 56;

// One sample of an IMU in a car that idles at the kerb: little endian, i64 nanoseconds, 3 × f64
// acceleration in m/s² (x forward, y left, z up; gravity included), 3 × f64 angular rate in rad/s.
// A function of the time since the start alone.
void write_imu_sample(std::int64_t time_ns, double seconds,
                      std::span<std::byte, kImuSampleBytes> out) noexcept;

// Frames of IMU samples that are evenly spaced in time, however late a frame is sent.
//
// Thread: one. Cost: a frame allocates nothing.
class ImuSimulator {
 public:
  // `hz`: samples per second. `start_ns`: the sensor's clock at the first sample.
  ImuSimulator(double hz, std::uint32_t samples_per_frame, std::int64_t start_ns);

  // When frame `number` is due, counted from the first sample: when its last sample was taken.
  [[nodiscard]] std::int64_t due_ns(std::uint64_t number) const noexcept;

  // The bytes of frame `number`: valid until the next call.
  [[nodiscard]] std::span<const std::byte> frame(std::uint64_t number) noexcept;

 private:
  [[nodiscard]] double seconds(std::uint64_t sample) const noexcept;

  const double hz_;
  const std::uint32_t samples_per_frame_;
  const std::int64_t start_ns_;
  std::vector<std::byte> samples_;
};

}  // namespace penstock
