// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#include "client/run_rig.hpp"

#include "client/sensors/vlp16.hpp"

#include <asio/buffer.hpp>
#include <asio/io_context.hpp>
#include <asio/ip/tcp.hpp>
#include <asio/ip/udp.hpp>
#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <system_error>
#include <vector>

namespace penstock {
namespace {

using asio::ip::udp;

// A port of this machine, and what came to it.
class Listener {
 public:
  Listener() : socket_{context_, udp::endpoint{asio::ip::address_v4::loopback(), 0}} {
    socket_.non_blocking(true);
  }
  [[nodiscard]] std::uint16_t port() const { return socket_.local_endpoint().port(); }

  [[nodiscard]] const std::vector<std::vector<std::byte>>& take_all() {
    for (;;) {
      std::array<std::byte, 2048> bytes;
      std::error_code error;
      const std::size_t size = socket_.receive(asio::buffer(bytes), 0, error);
      if (error) return came_;
      came_.emplace_back(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(size));
    }
  }

 private:
  asio::io_context context_;
  udp::socket socket_;
  std::vector<std::vector<std::byte>> came_;
};

// A port of this machine where no server listens.
std::uint16_t deserted_port() {
  asio::io_context context;
  const asio::ip::tcp::acceptor acceptor{context, {asio::ip::address_v4::loopback(), 0}};
  return acceptor.local_endpoint().port();
}

LoadOptions until_stopped() {
  LoadOptions options;
  options.to = {.host = "127.0.0.1", .port = deserted_port(), .timeout_ms = 2000};
  options.duration_s = 0;
  return options;
}

RigSensor lidar_to(const Listener& data, std::uint16_t position_port) {
  RigSensor sensor;
  sensor.name = "lidar";
  sensor.type = RigSensor::Type::vlp16;
  sensor.udp_port = data.port();
  sensor.position_port = position_port;
  return sensor;
}

std::uint32_t stamp(const std::vector<std::byte>& packet) {
  std::uint32_t value = 0;
  std::memcpy(&value, packet.data() + 1200, sizeof value);
  return value;
}

TEST(RunRig, SendsALidarWithoutAServer) {
  Listener data;
  Listener positions;

  const LoadReport report = run_rig({lidar_to(data, positions.port())}, until_stopped(),
                                    [&] { return data.take_all().size() >= 28; });

  const auto& packets = data.take_all();
  const auto& sentences = positions.take_all();
  ASSERT_EQ(report.streams.size(), 1u);
  EXPECT_EQ(report.streams[0].error, "");
  EXPECT_EQ(report.streams[0].transport, "udp");
  EXPECT_EQ(report.streams[0].sent, packets.size() + sentences.size());
  EXPECT_EQ(report.streams[0].unsent, 0u);
  EXPECT_EQ(sentences.size(), packets.size() / 14);
  std::uint64_t bytes = 0;
  for (const auto& sentence : sentences) bytes += sentence.size();
  for (std::size_t i = 0; i < packets.size(); ++i) {
    bytes += packets[i].size();
    ASSERT_EQ(packets[i].size(), Vlp16Simulator::kPacketBytes);
    if (i == 0) continue;
    const std::uint32_t step =
        (stamp(packets[i]) + 3'600'000'000u - stamp(packets[i - 1])) % 3'600'000'000u;
    EXPECT_TRUE(step == 1327 || step == 1328) << step;
  }
  EXPECT_EQ(report.streams[0].bytes, bytes);
}

TEST(RunRig, SendsNoPositionsToPortZero) {
  Listener data;

  const LoadReport report =
      run_rig({lidar_to(data, 0)}, until_stopped(), [&] { return data.take_all().size() >= 15; });

  EXPECT_EQ(report.streams[0].sent, data.take_all().size());
  EXPECT_EQ(report.streams[0].unsent, 0u);
}

TEST(RunRig, GoesOnWithoutTheSensorWhoseSessionFails) {
  Listener data;
  RigSensor imu;
  imu.name = "imu";
  imu.hz = 200;

  const LoadReport report = run_rig({imu, lidar_to(data, 0)}, until_stopped(),
                                    [&] { return data.take_all().size() >= 15; });

  ASSERT_EQ(report.streams.size(), 2u);
  EXPECT_NE(report.streams[0].error, "");
  EXPECT_EQ(report.streams[0].sent, 0u);
  EXPECT_EQ(report.streams[1].error, "");
  EXPECT_GE(report.streams[1].sent, 15u);
  EXPECT_FALSE(report.good());
}

TEST(RunRig, KeepsTheErrorOfALidarWhoseHostIsUnknown) {
  RigSensor sensor;
  sensor.name = "lidar";
  sensor.type = RigSensor::Type::vlp16;
  sensor.udp_host = "no host has spaces";

  const LoadReport report = run_rig({sensor}, until_stopped(), [] { return false; });

  EXPECT_NE(report.streams[0].error.find("no host has spaces"), std::string::npos);
}

}  // namespace
}  // namespace penstock
