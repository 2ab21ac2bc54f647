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

}  // namespace penstock
