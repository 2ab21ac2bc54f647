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
  const std::int64_t begin_ns = run.deadline.elapsed_ns();
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
    const std::int64_t due = begin_ns + lidar.due_ns();
    lidar.next_packet(packet);
    if (!run.deadline.sleep_until(due)) return;
    send(packet, sensor.udp_port);
    if (sensor.position_port != 0 && lidar.packets() % kPacketsAPosition == 0) {
      lidar.position_packet(position);
      send(position, sensor.position_port);
    }
  }
}

// Frames of a session. `make(n)` gives the bytes of frame n, which is due `due_ns(n)` after the
// server has opened the stream: what a camera needs to draw its street or a server to answer must
// not become a burst of frames that are late from the start.
template <class DueNs, class Make>
void send_frames(Sender& sender, Sender::Stream number, const Run& run, StreamReport& report,
                 const DueNs& due_ns, const Make& make) {
  const std::int64_t begin_ns = run.deadline.elapsed_ns();
  for (std::uint64_t n = 0; run.deadline.sleep_until(begin_ns + due_ns(n)); ++n) {
    const std::span<const std::byte> payload = make(n);
    // Counted here too: a session that fails has no last word of the server.
    if (sender.send(number, payload, realtime_ns(), run.options.on_no_credit)) {
      ++report.sent;
      report.bytes += payload.size();
    } else {
      ++report.unsent;
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
  Sender sender{run.options.to};
  const Sender::Stream number =
      sender.open({.name = sensor.name,
                   .kind = std::string{name(sensor.format)},
                   .max_frame_bytes = image_bytes(sensor.format, sensor.width, sensor.height),
                   .width = sensor.width,
                   .height = sensor.height,
                   .payload_crc = run.options.payload_crc});
  send_frames(
      sender, number, run, report,
      [&](std::uint64_t n) {
        return static_cast<std::int64_t>(static_cast<double>(n) * 1e9 / sensor.hz);
      },
      [&](std::uint64_t n) { return camera.frame(n); });
}

void send_imu(const RigSensor& sensor, const Run& run, StreamReport& report) {
  Sender sender{run.options.to};
  const Sender::Stream number =
      sender.open({.name = sensor.name,
                   .kind = "imu",
                   .max_frame_bytes = kImuSampleBytes * sensor.samples_per_frame,
                   .payload_crc = run.options.payload_crc});
  ImuSimulator imu{sensor.hz, sensor.samples_per_frame, realtime_ns()};
  send_frames(
      sender, number, run, report, [&](std::uint64_t n) { return imu.due_ns(n); },
      [&](std::uint64_t n) { return imu.frame(n); });
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
