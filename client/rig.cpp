// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#include "client/rig.hpp"

#include "base/nearest.hpp"
#include "net/wire/control.hpp"

#include <algorithm>
#include <optional>

namespace penstock {
namespace {

std::vector<std::string> image_formats() {
  std::vector<std::string> names;
  for (const StreamKindName& entry : kStreamKinds) {
    if (image_bytes(entry.kind, 1, 1) != 0) names.emplace_back(entry.name);
  }
  return names;
}

void read_udp(YamlMap& udp, RigSensor& sensor) {
  sensor.udp_host = udp.text("host").value_or("");
  constexpr std::uint64_t kMostPort = 65535;
  sensor.udp_port =
      static_cast<std::uint16_t>(udp.integer("port", 1, kMostPort).value_or(sensor.udp_port));
  sensor.position_port = static_cast<std::uint16_t>(
      udp.integer("position_port", 0, kMostPort).value_or(sensor.position_port));
  udp.finish();
}

void read_lidar(YamlMap& map, RigSensor& sensor) {
  sensor.hz = map.number("hz", 5, 20).value_or(10);
  if (auto udp = map.map("udp")) read_udp(*udp, sensor);
}

void read_camera(YamlMap& map, RigSensor& sensor) {
  constexpr std::uint64_t kLeast = 64;
  constexpr std::uint64_t kMost = 16384;
  const std::vector<std::string> formats = image_formats();
  if (const auto format = map.choice("format", formats)) {
    sensor.format = *stream_kind(std::string_view{formats[*format]});
  }
  sensor.hz = map.number("hz", 0.1, 1000).value_or(30);
  const auto side = [&](std::string_view key, std::uint32_t otherwise) {
    const auto value = map.integer(key, kLeast, kMost);
    if (value && *value % 2 != 0) map.violation(key, "is odd, allowed are even numbers");
    return static_cast<std::uint32_t>(value.value_or(otherwise));
  };
  sensor.width = side("width", sensor.width);
  sensor.height = side("height", sensor.height);
}

void read_imu(YamlMap& map, RigSensor& sensor) {
  sensor.hz = map.number("hz", 1, 10'000).value_or(200);
  sensor.samples_per_frame =
      static_cast<std::uint32_t>(map.integer("samples_per_frame", 1, 1000).value_or(1));
}

void read_sensor(YamlMap& map, std::vector<RigSensor>& sensors) {
  RigSensor sensor;
  const auto name = map.text("name");
  if (!map.has("name")) map.violation("name", "is missing: every sensor has a name");
  if (name && !wire::is_stream_name(*name)) {
    map.violation("name",
                  "is \"" + printable(*name) + "\", allowed are 1 to 64 of a-z A-Z 0-9 _ - .");
  }
  sensor.name = name.value_or("");
  const bool taken = std::any_of(sensors.begin(), sensors.end(),
                                 [&](const RigSensor& other) { return other.name == sensor.name; });
  if (name && taken) map.violation("name", "is used twice: " + printable(*name));
  const auto type = map.choice("type", {"vlp16", "camera", "imu"});
  if (!map.has("type")) map.violation("type", "is missing, allowed are vlp16, camera, imu");
  if (!type) return;  // what else it may have depends on it
  sensor.type = static_cast<RigSensor::Type>(*type);
  switch (sensor.type) {
    case RigSensor::Type::vlp16:
      read_lidar(map, sensor);
      break;
    case RigSensor::Type::camera:
      read_camera(map, sensor);
      break;
    case RigSensor::Type::imu:
      read_imu(map, sensor);
      break;
  }
  map.finish();
  sensors.push_back(std::move(sensor));
}

}  // namespace

LoadedRig load_rig(const std::string& path) {
  YamlFile file{path};
  LoadedRig rig;
  if (file.readable()) {
    YamlMap root = file.root();
    for (YamlMap& sensor : root.list_of_maps("sensors")) read_sensor(sensor, rig.sensors);
    if (!root.has("sensors")) root.violation("sensors", "is missing: a rig has a list of sensors");
    root.finish();
  }
  rig.violations = file.violations();
  return rig;
}

}  // namespace penstock
