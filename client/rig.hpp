// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/yaml_reader.hpp"
#include "net/wire/stream_kind.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace penstock {

// One synthetic sensor of a rig file.
struct RigSensor {
  enum class Type : std::uint8_t { vlp16, camera, imu };
  std::string name;
  Type type = Type::imu;
  double hz = 10;  // vlp16: turns; camera: frames; imu: samples; per second

  // vlp16: its packets go here by UDP.
  std::string udp_host;  // empty: the host of the server
  std::uint16_t udp_port = 2368;
  std::uint16_t position_port = 8308;  // 0: none are sent

  // camera
  StreamKind format = StreamKind::bayer_rg8;
  std::uint32_t width = 3840;
  std::uint32_t height = 2160;

  std::uint32_t samples_per_frame = 1;  // imu
};

struct LoadedRig {
  std::vector<RigSensor> sensors;
  std::vector<Violation> violations;  // empty: the rig can be used
};

// Reads a rig file (docs/load-client.md). Every broken rule is reported at once.
[[nodiscard]] LoadedRig load_rig(const std::string& path);

}  // namespace penstock
