// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#include "sink/png.hpp"

#include "tests/unit/sink/frames.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <png.h>

#include <random>

namespace penstock {
namespace {

using testing::ElementsAre;
using testing::ElementsAreArray;

std::vector<Rgb> decode(const std::vector<std::byte>& file) {
  png_image png{};
  png.version = PNG_IMAGE_VERSION;
  if (png_image_begin_read_from_memory(&png, file.data(), file.size()) == 0) return {};
  EXPECT_EQ(png.format, static_cast<png_uint_32>(PNG_FORMAT_RGB)) << "8 bits, no alpha, no palette";
  png.format = PNG_FORMAT_RGB;
  std::vector<Rgb> pixels(std::size_t{png.width} * png.height);
  EXPECT_NE(png_image_finish_read(&png, nullptr, pixels.data(), 0, nullptr), 0);
  return pixels;
}

std::vector<Rgb> from_planes(std::uint32_t width, std::uint32_t height,
                             const std::vector<float>& planes) {
  RgbImage image;
  EXPECT_TRUE(image.assign_planes(width, height, test::bytes_of_all(planes)));
  return {image.pixels().begin(), image.pixels().end()};
}

TEST(Png, IsReadBackPixelForPixel) {
  std::vector<float> planes(3 * 7 * 5);
  std::mt19937 random{1};
  for (float& value : planes) value = static_cast<float>(random() % 256) / 255.0f;
  RgbImage image;
  ASSERT_TRUE(image.assign_planes(7, 5, test::bytes_of_all(planes)));
  std::vector<std::byte> file;

  ASSERT_TRUE(encode_png(image, file));

  EXPECT_THAT(decode(file), ElementsAreArray(image.pixels()));
}

TEST(Png, HasRoomForAPictureThatCannotBeCompressed) {
  std::mt19937 random{2};
  for (const auto& [width, height] : {std::pair{1u, 4000u}, {4000u, 1u}, {640u, 480u}}) {
    std::vector<float> planes(std::size_t{3} * width * height);
    for (float& value : planes) value = static_cast<float>(random() % 256) / 255.0f;
    RgbImage image;
    ASSERT_TRUE(image.assign_planes(width, height, test::bytes_of_all(planes)));
    std::vector<std::byte> file;

    EXPECT_TRUE(encode_png(image, file)) << width << "x" << height;
  }
}

TEST(Png, OfAnEmptyPictureIsRefusedWithAReason) {
  std::vector<std::byte> file;

  const auto encoded = encode_png(RgbImage{}, file);

  ASSERT_FALSE(encoded);
  EXPECT_FALSE(encoded.error().empty());
}

TEST(RgbImage, TakesEachColourFromItsPlane) {
  EXPECT_THAT(from_planes(2, 1, {1.0f, 0.0f, 0.0f, 1.0f, 0.2f, 0.4f}),
              ElementsAre(Rgb{255, 0, 51}, Rgb{0, 255, 102}));
}

TEST(RgbImage, RoundsToTheNearestStep) {
  const auto step = [](float steps) { return from_planes(1, 1, {steps / 255, 0, 0})[0].r; };

  EXPECT_EQ(step(100.4f), 100);
  EXPECT_EQ(step(100.6f), 101);
  for (int value = 0; value < 256; ++value) EXPECT_EQ(step(static_cast<float>(value)), value);
}

TEST(RgbImage, ClampsWhatIsOutOfRange) {
  EXPECT_THAT(from_planes(1, 1, {-0.1f, 7.0f, test::kNoReturn}), ElementsAre(Rgb{0, 255, 0}));
}

TEST(RgbImage, RefusesPlanesThatAreTooShort) {
  const std::vector<float> planes(3 * 4 * 4 - 1);
  RgbImage image;

  EXPECT_FALSE(image.assign_planes(4, 4, test::bytes_of_all(planes)));
}

}  // namespace
}  // namespace penstock
