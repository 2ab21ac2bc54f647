// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#include "client/sensors/camera.hpp"
#include "client/sensors/imu.hpp"
#include "client/sensors/scene.hpp"
#include "client/sensors/vlp16.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstring>
#include <string>
#include <vector>

namespace penstock {
namespace {

template <class T>
T get(std::span<const std::byte> bytes, std::size_t at) {
  T value{};
  std::memcpy(&value, bytes.data() + at, sizeof value);
  return value;
}

TEST(Scene, HasARoadHousesAndCarsWhereTheyBelong) {
  const Scene scene;
  const Vec3 eye{0, 0, 1.8F};

  const auto down = scene.cast(eye, {0, 0, -1}, 0);
  const auto left = scene.cast({0, 0, 3}, {0, 1, 0}, 0);
  const auto up = scene.cast(eye, {0, 0, 1}, 0);
  const auto side_street = scene.cast({15, 0, 3}, {0, 1, 0}, 0);
  const auto parked = scene.cast({5, 0, 0.5F}, {0, -1, 0}, 0);

  ASSERT_TRUE(down && left && parked);
  EXPECT_NEAR(down->distance, 1.8F, 1e-5);
  EXPECT_EQ(left->material, Material::leaf) << "the crown of a tree";
  EXPECT_NEAR(left->distance, 5.6F, 0.1F);
  EXPECT_FALSE(up);
  EXPECT_FALSE(side_street);
  EXPECT_EQ(parked->material, Material::car);
  EXPECT_NEAR(parked->distance, 2.1F, 1e-4);
}

TEST(Scene, OnlyOneCarDrives) {
  const Scene scene;
  const auto at = [&](float seconds) {
    const auto hit = scene.cast({-44, 1.2F, 0.6F}, {1, 0, 0}, seconds);
    return hit ? hit->distance : 0.0F;
  };
  EXPECT_NEAR(at(2.0F) - at(1.0F), 8.0F, 1e-3);
}

TEST(Vlp16Simulator, SpeaksTheWireFormat) {
  const Scene scene;
  Vlp16Simulator lidar{scene, 10, 3'599'999'000};
  std::array<std::byte, 1206> packet;
  std::uint32_t last_azimuth = 0;
  int wraps = 0;
  std::size_t returns = 0;
  for (int n = 0; n < 160; ++n) {
    const auto due = lidar.due_ns();
    lidar.next_packet(packet);
    EXPECT_EQ(get<std::uint32_t>(packet, 1200),
              (3'599'999'000u + static_cast<std::uint64_t>(due) / 1000) % 3'600'000'000u);
    EXPECT_EQ(get<std::uint16_t>(packet, 1204), 0x2237);
    for (std::size_t block = 0; block < 12; ++block) {
      EXPECT_EQ(get<std::uint16_t>(packet, 100 * block), 0xEEFF);
      const std::uint32_t azimuth = get<std::uint16_t>(packet, 100 * block + 2);
      ASSERT_LT(azimuth, 36000u);
      const std::uint32_t step = (azimuth + 36000 - last_azimuth) % 36000;
      if (n + static_cast<int>(block) > 0) {
        EXPECT_NEAR(step, 39.8, 1.3);
      }
      wraps += azimuth < last_azimuth ? 1 : 0;
      last_azimuth = azimuth;
      for (std::size_t record = 0; record < 32; ++record) {
        returns += get<std::uint16_t>(packet, 100 * block + 4 + 3 * record) != 0 ? 1u : 0u;
      }
    }
  }
  EXPECT_EQ(wraps, 2);
  EXPECT_GT(returns, 160u * 384 / 2);
}

TEST(Vlp16Simulator, SeesTheRoadAtTheRightDistance) {
  const Scene scene;
  Vlp16Simulator lidar{scene, 10, 0};
  std::array<std::byte, 1206> packet;
  lidar.next_packet(packet);

  // Laser 0 looks 15° down: 1.8 m / sin 15°.
  EXPECT_NEAR(get<std::uint16_t>(packet, 4) * 0.002, 1.8 / std::sin(15 * 3.14159265 / 180), 0.03);
}

TEST(Vlp16Simulator, SignsItsPositionSentence) {
  const Scene scene;
  Vlp16Simulator lidar{scene, 10, 61'000'000};
  std::array<std::byte, 512> packet;
  lidar.position_packet(packet);

  const std::string sentence{reinterpret_cast<const char*>(packet.data()) + 0xCE};
  ASSERT_EQ(sentence.substr(0, 14), "$GPRMC,120101,");
  const std::size_t star = sentence.find('*');
  unsigned check = 0;
  for (std::size_t i = 1; i < star; ++i) check ^= static_cast<unsigned char>(sentence[i]);
  EXPECT_EQ(std::stoul(sentence.substr(star + 1, 2), nullptr, 16), check);
}

TEST(CameraSimulator, ChangesALittleFromFrameToFrame) {
  const Scene scene;
  for (const StreamKind format : {StreamKind::bayer_rg8, StreamKind::uyvy}) {
    CameraSimulator camera{scene, format, 320, 240};
    const auto view = camera.frame(6);
    const std::vector<std::byte> first(view.begin(), view.end());
    const auto second = camera.frame(7);

    ASSERT_EQ(second.size(), image_bytes(format, 320, 240));
    std::size_t changed = 0;
    for (std::size_t i = 0; i < first.size(); ++i) changed += first[i] != second[i] ? 1u : 0u;
    EXPECT_GT(changed, 0u);
    EXPECT_LT(changed, first.size() / 50);
    const auto again = camera.frame(6);
    EXPECT_TRUE(std::equal(first.begin(), first.end(), again.begin()));
  }
}

TEST(Imu, FeelsGravity) {
  std::array<std::byte, kImuSampleBytes> sample;
  write_imu_sample(42, 1.5, sample);

  EXPECT_EQ(get<std::int64_t>(sample, 0), 42);
  EXPECT_NEAR(get<double>(sample, 24), 9.81, 0.1);
}

TEST(ImuSimulator, SpacesItsSamplesEvenlyAcrossFrames) {
  constexpr std::int64_t kStartNs = 1'700'000'000'000'000'000;
  ImuSimulator imu{200, 10, kStartNs};
  for (std::uint64_t n = 0; n < 3; ++n) {
    const auto frame = imu.frame(n);
    ASSERT_EQ(frame.size(), 10 * kImuSampleBytes);
    for (std::size_t i = 0; i < 10; ++i) {
      const auto sample = static_cast<std::int64_t>(10 * n + i);
      EXPECT_NEAR(static_cast<double>(get<std::int64_t>(frame, kImuSampleBytes * i) - kStartNs),
                  static_cast<double>(sample * 5'000'000), 1);
    }
  }
}

TEST(ImuSimulator, IsDueWhenItsLastSampleWasTaken) {
  const ImuSimulator alone{200, 1, 0};
  const ImuSimulator tens{200, 10, 0};

  EXPECT_EQ(alone.due_ns(0), 0);
  EXPECT_NEAR(static_cast<double>(alone.due_ns(3)), 15e6, 1);
  EXPECT_NEAR(static_cast<double>(tens.due_ns(0)), 45e6, 1);
  EXPECT_NEAR(static_cast<double>(tens.due_ns(1)), 95e6, 1);
}

TEST(Scene, SeesWhatStandsBesideAndAboveTheEye) {
  const Scene scene;

  // Straight down onto the roof of a parked car, and up into a crown from below it.
  const auto roof = scene.cast({5, -3, 5}, {0, 0, -1}, 0);
  const auto crown = scene.cast({0, 6.0F, 0.5F}, {0, 0, 1}, 0);
  const auto between = scene.cast({0, 0, 0.5F}, {-1, 0, 0}, 0);

  ASSERT_TRUE(roof && crown);
  EXPECT_EQ(roof->material, Material::glass);
  EXPECT_NEAR(roof->distance, 3.5F, 1e-4);
  EXPECT_EQ(crown->material, Material::leaf);
  EXPECT_FALSE(between) << "the lane behind is free";
}

TEST(Scene, MissesNothingAtItsOutermostEdge) {
  const Scene scene;

  const auto bumper = scene.cast({7.19F, 0, 0.5F}, {0, -1, 0}, 0);
  const auto beside_bumper = scene.cast({6.9F, -1.9F, 0.5F}, {0.8F, -0.6F, 0}, 0);
  const auto leaves = scene.cast({1.39F, 0, 4}, {0, 1, 0}, 0);

  ASSERT_TRUE(bumper && beside_bumper && leaves);
  EXPECT_EQ(bumper->material, Material::car);
  EXPECT_NEAR(bumper->distance, 2.1F, 1e-4);
  EXPECT_EQ(beside_bumper->material, Material::car) << "its centre is behind the eye";
  EXPECT_EQ(leaves->material, Material::leaf);
}

TEST(Scene, TurnsTheNormalOfASideTowardsTheEye) {
  const Scene scene;

  const auto back = scene.cast({0, -3, 0.5F}, {1, 0, 0}, 0);
  const auto wall = scene.cast({3, 0, 4.5F}, {0, 1, 0}, 0);

  ASSERT_TRUE(back && wall);
  EXPECT_NEAR(back->distance, 2.8F, 1e-4);
  EXPECT_EQ(back->normal.x, -1.0F);
  EXPECT_NEAR(wall->distance, 7.5F, 1e-4);
  EXPECT_EQ(wall->normal.y, -1.0F);
}

}  // namespace
}  // namespace penstock
