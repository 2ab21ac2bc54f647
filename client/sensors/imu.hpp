// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace penstock {

inline constexpr std::size_t kImuSampleBytes = 56;

// One sample of an IMU in a car that idles at the kerb: little endian, i64 nanoseconds, 3 × f64
// acceleration in m/s² (x forward, y left, z up; gravity included), 3 × f64 angular rate in rad/s.
// A function of the time since the start alone.
void write_imu_sample(std::int64_t time_ns, double seconds,
                      std::span<std::byte, kImuSampleBytes> out) noexcept;

}  // namespace penstock
