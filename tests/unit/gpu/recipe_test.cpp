// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/recipe.hpp"

#include "gpu/coalesce.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace penstock {
namespace {

const Recipe kLidar{.kind = RecipeKind::velodyne_vlp16};
const Recipe kBayer{.kind = RecipeKind::bayer8, .width = 6, .height = 4};
const Recipe kUyvy{.kind = RecipeKind::uyvy, .width = 6, .height = 4};

TEST(Recipe, SaysHowLongAResultIs) {
  EXPECT_EQ(result_bytes({}, 4096), 0u);
  EXPECT_EQ(result_bytes(kLidar, 2 * 1206), 2u * 384 * 24);
  EXPECT_EQ(result_bytes(kBayer, 24), 3u * 24 * 4);
  EXPECT_EQ(result_bytes(kUyvy, 48), 3u * 24 * 4);
}

TEST(Recipe, DescribesPointsAndImagesForSinksThatKnowNoKernel) {
  const ResultShape cloud = result_shape(kLidar, {.bytes = 1206});
  EXPECT_EQ(cloud.layout.kind, ContentLayout::Kind::points);
  EXPECT_EQ(cloud.layout.count, 384u);
  EXPECT_EQ(cloud.layout.records->stride, 24u);
  EXPECT_EQ(cloud.layout.records->fields[4].name, "ring");
  EXPECT_EQ(cloud.layout.records->fields[4].offset, 20u);

  const ResultShape image = result_shape(kUyvy, {.bytes = 48});
  EXPECT_EQ(image.layout.kind, ContentLayout::Kind::image);
  EXPECT_EQ(image.layout.width, 6u);
}

TEST(Recipe, RefusesWhatItsKernelWouldReadBeyond) {
  EXPECT_TRUE(decodable({}, {.bytes = 1}));
  EXPECT_TRUE(decodable(kLidar, {.bytes = 1206}));
  EXPECT_FALSE(decodable(kLidar, {.bytes = 0}));
  EXPECT_FALSE(decodable(kLidar, {.bytes = 1205}));
  EXPECT_FALSE(decodable(kLidar, {.bytes = 1206, .skip_blocks_head = 13}));
  EXPECT_TRUE(decodable(kBayer, {.bytes = 24}));
  EXPECT_FALSE(decodable(kBayer, {.bytes = 23}));
  EXPECT_FALSE(decodable(kUyvy, {.bytes = 24}));
  EXPECT_FALSE(decodable({.kind = RecipeKind::bayer8, .width = 1, .height = 4}, {.bytes = 4}));
}

std::vector<std::pair<std::size_t, std::size_t>> merged(std::vector<Extent> extents,
                                                        std::size_t gap) {
  extents.resize(coalesce(extents, gap));
  std::vector<std::pair<std::size_t, std::size_t>> result;
  for (const Extent& e : extents) result.emplace_back(e.offset, e.bytes);
  return result;
}

TEST(Coalesce, JoinsNeighboursAndSmallGapsInAnyOrder) {
  using Runs = std::vector<std::pair<std::size_t, std::size_t>>;
  EXPECT_EQ(merged({}, 0), Runs{});
  EXPECT_EQ(merged({{4096, 4096}, {0, 4096}, {8192, 100}}, 0), (Runs{{0, 8292}}));
  EXPECT_EQ(merged({{0, 100}, {4096, 100}}, 0), (Runs{{0, 100}, {4096, 100}}));
  EXPECT_EQ(merged({{0, 100}, {4096, 100}}, 4096), (Runs{{0, 4196}}));
  EXPECT_EQ(merged({{0, 1000}, {10, 5}}, 0), (Runs{{0, 1000}}));
}

}  // namespace
}  // namespace penstock
