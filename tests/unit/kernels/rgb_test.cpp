// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/cpu/run.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <random>
#include <string_view>
#include <vector>

namespace penstock::kernels {
namespace {

std::vector<std::byte> noise(std::size_t bytes) {
  std::mt19937 random{5};
  std::vector<std::byte> data(bytes);
  for (std::byte& byte : data) byte = static_cast<std::byte>(random());
  return data;
}

std::vector<float> decoded(const std::vector<std::byte>& payload, JobKind kind,
                           std::uint8_t pattern, std::uint32_t width, std::uint32_t height) {
  std::vector<float> planes(std::size_t{3} * width * height, -1.0F);
  const Job job{.payload = payload.data(),
                .payload_bytes = payload.size(),
                .result = reinterpret_cast<std::byte*>(planes.data()),
                .kind = kind,
                .pattern = pattern,
                .width = width,
                .height = height};
  cpu::run({&job, 1});
  return planes;
}

// By colour names and by searching, sharing nothing with the kernel: the mean of the samples of the
// wanted colour in the 3 × 3 neighbourhood (the pixel itself alone, when it has that colour; for
// green beside red or blue its four sides), the picture being continued by reflection.
class Mosaic {
 public:
  Mosaic(const std::vector<std::byte>& payload, std::string_view cell, int width, int height)
      : payload_{payload}, cell_{cell}, width_{width}, height_{height} {}

  [[nodiscard]] double colour(char wanted, int x, int y) const {
    if (at(x, y) == wanted) return sample(x, y);
    double sum = 0;
    int count = 0;
    for (int dy = -1; dy <= 1; ++dy) {
      for (int dx = -1; dx <= 1; ++dx) {
        const int px = reflect(x + dx, width_);
        const int py = reflect(y + dy, height_);
        if (at(px, py) != wanted) continue;
        sum += sample(px, py);
        ++count;
      }
    }
    return sum / count;
  }

 private:
  static int reflect(int at, int size) {
    return at < 0 ? -at : at >= size ? 2 * size - 2 - at : at;
  }
  [[nodiscard]] char at(int x, int y) const {
    return cell_[static_cast<std::size_t>(2 * (y % 2) + x % 2)];
  }
  [[nodiscard]] double sample(int x, int y) const {
    return std::to_integer<int>(payload_[static_cast<std::size_t>(y * width_ + x)]) / 255.0;
  }

  const std::vector<std::byte>& payload_;
  std::string_view cell_;
  int width_, height_;
};

TEST(Bayer8, EqualsTheDefinitionForEveryPatternAndOddSizes) {
  constexpr std::array kCells{std::string_view{"RGGB"}, std::string_view{"GRBG"},
                              std::string_view{"GBRG"}, std::string_view{"BGGR"}};
  for (std::uint8_t pattern = 0; pattern < 4; ++pattern) {
    for (const auto& [width, height] : {std::pair{2, 2}, {7, 5}, {16, 9}, {33, 31}}) {
      const auto payload = noise(static_cast<std::size_t>(width * height));
      const auto planes =
          decoded(payload, JobKind::bayer8, pattern, static_cast<std::uint32_t>(width),
                  static_cast<std::uint32_t>(height));
      const Mosaic mosaic{payload, kCells[pattern], width, height};
      for (int y = 0; y < height; ++y) {
        for (int x = 0; x < width; ++x) {
          for (int plane = 0; plane < 3; ++plane) {
            const auto index = static_cast<std::size_t>((plane * height + y) * width + x);
            ASSERT_NEAR(planes[index], mosaic.colour("RGB"[plane], x, y), 1e-6)
                << kCells[pattern] << ' ' << width << 'x' << height << " at " << x << ',' << y
                << " plane " << plane;
          }
        }
      }
    }
  }
}

TEST(Uyvy, EqualsBt601InDoublePrecision) {
  constexpr std::uint32_t kWidth = 64;
  constexpr std::uint32_t kHeight = 48;
  const auto payload = noise(2 * kWidth * kHeight);

  const auto planes = decoded(payload, JobKind::uyvy, 0, kWidth, kHeight);

  for (std::size_t i = 0; i < kWidth * kHeight; ++i) {
    const auto value = [&](std::size_t at) { return std::to_integer<int>(payload[at]); };
    const std::size_t pair = i / 2 * 4;
    const double y = (value(pair + 1 + 2 * (i % 2)) - 16) / 219.0;
    const double pb = (value(pair) - 128) / 224.0;
    const double pr = (value(pair + 2) - 128) / 224.0;
    // Kr = 0.299, Kb = 0.114.
    const double r = y + 2 * (1 - 0.299) * pr;
    const double b = y + 2 * (1 - 0.114) * pb;
    const double g = (y - 0.299 * r - 0.114 * b) / (1 - 0.299 - 0.114);
    ASSERT_NEAR(planes[i], std::clamp(r, 0.0, 1.0), 2e-6) << i;
    ASSERT_NEAR(planes[kWidth * kHeight + i], std::clamp(g, 0.0, 1.0), 2e-6) << i;
    ASSERT_NEAR(planes[2 * kWidth * kHeight + i], std::clamp(b, 0.0, 1.0), 2e-6) << i;
  }
}

TEST(Uyvy, GivesBlackWhiteAndRed) {
  const std::vector<std::byte> payload{std::byte{128}, std::byte{16}, std::byte{128},
                                       std::byte{235}, std::byte{90}, std::byte{81},
                                       std::byte{240}, std::byte{81}};

  const auto planes = decoded(payload, JobKind::uyvy, 0, 4, 1);

  EXPECT_NEAR(planes[0], 0, 1e-6);
  EXPECT_NEAR(planes[1], 1, 1e-6);
  EXPECT_NEAR(planes[2], 1, 0.01);
  EXPECT_NEAR(planes[4 + 2], 0, 0.01);
  EXPECT_NEAR(planes[8 + 2], 0, 0.01);
}

}  // namespace
}  // namespace penstock::kernels
