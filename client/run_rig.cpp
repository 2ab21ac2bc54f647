// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#include "client/run_rig.hpp"

#include "client/datagram_socket.hpp"
#include "client/deadline.hpp"
#include "client/sender.hpp"
#include "client/sensors/camera.hpp"
#include "client/sensors/imu.hpp"
#include "client/sensors/vlp16.hpp"

#include <array>
#include <exception>
#include <thread>

namespace penstock {
namespace {

// A real sensor sends one position packet to about so many data packets.
constexpr std::uint64_t kPacketsAPosition = 14;

struct Run {
  const LoadOptions& options;
  const Deadline& deadline;
  const Scene& scene;
};

void send_lidar(const RigSensor& sensor, const Run& run, StreamReport& report) {
  report.transport = "udp";
  DatagramSocket socket{sensor.udp_host.empty() ? run.options.to.host : sensor.udp_host};
  constexpr std::int64_t kHourUs = 3'600'000'000;
  Vlp16Simulator lidar{run.scene, sensor.hz,
                       static_cast<std::uint32_t>(realtime_ns() / 1000 % kHourUs)};
  std::array<std::byte, Vlp16Simulator::kPacketBytes> packet;
  std::array<std::byte, Vlp16Simulator::kPositionBytes> position;
  const auto send = [&](std::span<const std::byte> datagram, std::uint16_t port) {
    if (!socket.send(datagram, port)) {
      ++report.unsent;
      return;
    }
    ++report.sent;
    report.bytes += datagram.size();
  };
  for (;;) {
    const std::int64_t due = lidar.due_ns();
    lidar.next_packet(packet);
    if (!run.deadline.sleep_until(due)) return;
    send(packet, sensor.udp_port);
    if (sensor.position_port != 0 && lidar.packets() % kPacketsAPosition == 0) {
      lidar.position_packet(position);
      send(position, sensor.position_port);
    }
  }
}

// Frames of a session: `make(n)` gives the bytes of frame n, which is due `n / hz` seconds after
// the start.
template <class Make>
void send_stream(const StreamOptions& stream, double hz, const Run& run, StreamReport& report,
                 const Make& make) {
  Sender sender{run.options.to};
  const Sender::Stream number = sender.open(stream);
  for (std::uint64_t n = 0;; ++n) {
    const auto due = static_cast<std::int64_t>(static_cast<double>(n) * 1e9 / hz);
    if (!run.deadline.sleep_until(due)) break;
    const std::span<const std::byte> payload = make(n);
    if (sender.send(number, payload, realtime_ns(), run.options.on_no_credit)) {
      report.bytes += payload.size();
    }
  }
  const SentCounts counts = sender.close(number);
  report.sent = counts.sent;
  report.unsent = counts.unsent;
  report.received = counts.received;
  report.crc_mismatches = counts.crc_mismatches;
  sender.goodbye();
}

void send_camera(const RigSensor& sensor, const Run& run, StreamReport& report) {
  CameraSimulator camera{run.scene, sensor.format, sensor.width, sensor.height};
  send_stream({.name = sensor.name,
               .kind = std::string{name(sensor.format)},
               .max_frame_bytes = image_bytes(sensor.format, sensor.width, sensor.height),
               .width = sensor.width,
               .height = sensor.height,
               .payload_crc = run.options.payload_crc},
              sensor.hz, run, report, [&](std::uint64_t n) { return camera.frame(n); });
}

void send_imu(const RigSensor& sensor, const Run& run, StreamReport& report) {
  std::vector<std::byte> samples(kImuSampleBytes * sensor.samples_per_frame);
  const double frame_hz = sensor.hz / sensor.samples_per_frame;
  send_stream({.name = sensor.name,
               .kind = "imu",
               .max_frame_bytes = samples.size(),
               .payload_crc = run.options.payload_crc},
              frame_hz, run, report, [&](std::uint64_t n) {
                for (std::uint32_t i = 0; i < sensor.samples_per_frame; ++i) {
                  const auto sample = n * sensor.samples_per_frame + i;
                  write_imu_sample(
                      realtime_ns(), static_cast<double>(sample) / sensor.hz,
                      std::span{samples}.subspan(kImuSampleBytes * i).first<kImuSampleBytes>());
                }
                return std::span<const std::byte>{samples};
              });
}

void send(const RigSensor& sensor, const Run& run, StreamReport& report) noexcept {
  try {
    switch (sensor.type) {
      case RigSensor::Type::vlp16:
        return send_lidar(sensor, run, report);
      case RigSensor::Type::camera:
        return send_camera(sensor, run, report);
      case RigSensor::Type::imu:
        return send_imu(sensor, run, report);
    }
  } catch (const std::exception& error) {
    report.error = error.what();
  }
}

}  // namespace

LoadReport run_rig(const std::vector<RigSensor>& sensors, const LoadOptions& options,
                   const std::function<bool()>& stopped) {
  const Scene scene;
  const Deadline deadline{options.duration_s, stopped};
  const Run run{options, deadline, scene};
  LoadReport report;
  for (const RigSensor& sensor : sensors) report.streams.push_back({.name = sensor.name});
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < sensors.size(); ++i) {
    threads.emplace_back([&, i] { send(sensors[i], run, report.streams[i]); });
  }
  for (std::thread& thread : threads) thread.join();
  report.seconds = deadline.seconds();
  return report;
}

}  // namespace penstock
