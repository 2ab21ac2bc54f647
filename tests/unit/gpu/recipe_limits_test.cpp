// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/recipe.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <map>
#include <string>

namespace penstock {
namespace {

constexpr std::uint64_t kPacket = 1206;
constexpr std::size_t kPointsOfAPacket = 384 * std::size_t{24};
constexpr Recipe kSums{.kind = RecipeKind::checksum};
constexpr Recipe kLidar{.kind = RecipeKind::velodyne_vlp16};
constexpr Recipe kBayer{.kind = RecipeKind::bayer8, .width = 5, .height = 3};
constexpr Recipe kUyvy{.kind = RecipeKind::uyvy, .width = 6, .height = 3};

TEST(RecipeLimits, MakesThePointsOfAllWholePackets) {
  EXPECT_EQ(result_bytes(kLidar, 76 * kPacket), 76 * kPointsOfAPacket);
  EXPECT_EQ(result_bytes(kLidar, 76 * kPacket + 1205), 76 * kPointsOfAPacket);

  const ResultShape shape = result_shape(kLidar, {.bytes = 2 * kPacket});
  EXPECT_EQ(shape.bytes, 2 * kPointsOfAPacket);
  EXPECT_EQ(shape.layout.kind, ContentLayout::Kind::points);
  EXPECT_EQ(shape.layout.count, 768u);
}

TEST(RecipeLimits, SaysWhereTheFieldsOfAPointLie) {
  const ResultShape shape = result_shape(kLidar, {.bytes = kPacket});

  ASSERT_NE(shape.layout.records, nullptr);
  EXPECT_EQ(shape.layout.records->stride, 24u);
  std::map<std::string, std::pair<std::size_t, ElementType>> fields;
  for (const Field& field : shape.layout.records->fields) {
    fields[std::string{field.name}] = {field.offset, field.type};
  }
  const decltype(fields) expected{
      {"x", {0, ElementType::f32}},      {"y", {4, ElementType::f32}},
      {"z", {8, ElementType::f32}},      {"intensity", {12, ElementType::f32}},
      {"time", {16, ElementType::f32}},  {"ring", {20, ElementType::u16}},
      {"return", {22, ElementType::u8}},
  };
  EXPECT_EQ(fields, expected);
}

TEST(RecipeLimits, MakesThreePlanesOfFloatsOfAnImage) {
  for (const Recipe& recipe : {kBayer, kUyvy}) {
    const ResultShape shape = result_shape(recipe, {.bytes = 1});
    EXPECT_EQ(shape.bytes, std::size_t{3} * 4 * recipe.width * recipe.height);
    EXPECT_EQ(result_bytes(recipe, 1), shape.bytes);
    EXPECT_EQ(shape.layout.kind, ContentLayout::Kind::image);
    EXPECT_EQ(shape.layout.width, recipe.width);
    EXPECT_EQ(shape.layout.height, recipe.height);
  }
}

TEST(RecipeLimits, SumsAFrameOfAnyLength) {
  EXPECT_TRUE(decodable(kSums, {.bytes = 0}));
  EXPECT_TRUE(decodable(kSums, {.bytes = 1}));
}

TEST(RecipeLimits, SkipsNoMoreBlocksThanAPacketHas) {
  EXPECT_TRUE(
      decodable(kLidar, {.bytes = kPacket, .skip_blocks_head = 12, .skip_blocks_tail = 12}));
  EXPECT_FALSE(decodable(kLidar, {.bytes = kPacket, .skip_blocks_head = 13}));
  EXPECT_FALSE(decodable(kLidar, {.bytes = kPacket, .skip_blocks_tail = 13}));
}

TEST(RecipeLimits, DecodesImagesOfExactlyTheirSizeOnly) {
  EXPECT_TRUE(decodable(kBayer, {.bytes = 15}));
  EXPECT_FALSE(decodable(kBayer, {.bytes = 14}));
  EXPECT_FALSE(decodable(kBayer, {.bytes = 16}));
  EXPECT_TRUE(decodable(kUyvy, {.bytes = 36}));
  EXPECT_FALSE(decodable(kUyvy, {.bytes = 18}));
  EXPECT_FALSE(decodable(kUyvy, {.bytes = 37}));
}

TEST(RecipeLimits, RefusesImagesThatTheKernelsHaveNoNeighboursFor) {
  EXPECT_FALSE(decodable({.kind = RecipeKind::bayer8}, {.bytes = 0}));
  EXPECT_FALSE(decodable({.kind = RecipeKind::bayer8, .width = 1, .height = 4}, {.bytes = 4}));
  EXPECT_FALSE(decodable({.kind = RecipeKind::uyvy, .width = 3, .height = 2}, {.bytes = 12}))
      << "two pixels share their colour";
}

TEST(RecipeLimits, IsNotFooledBySizesThatOverflow) {
  constexpr std::uint32_t kMost = std::numeric_limits<std::uint32_t>::max();
  // 2³¹ × 2³¹ pixels are 2⁶², and 2 × 2 × 2⁶² would be 0.
  constexpr std::uint32_t kHuge = 1u << 31;
  EXPECT_FALSE(
      decodable({.kind = RecipeKind::uyvy, .width = kHuge, .height = kHuge}, {.bytes = 0}));
  EXPECT_FALSE(
      decodable({.kind = RecipeKind::bayer8, .width = kMost, .height = kMost}, {.bytes = 1}));
}

}  // namespace
}  // namespace penstock
