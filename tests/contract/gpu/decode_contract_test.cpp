// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/recipe.hpp"
#include "tests/contract/gpu/device_fixture.hpp"

#include <algorithm>
#include <cstdint>

namespace penstock::test {
namespace {

constexpr std::byte kUntouched{0xA5};

struct Sample {
  Recipe recipe;
  Bytes payload;
  FrameInfo info{};
};

struct Decoded {
  Bytes result;
  std::uint64_t sums[2];
  friend bool operator==(const Decoded& a, const Decoded& b) {
    return a.result == b.result && std::equal(a.sums, a.sums + 2, b.sums);
  }
};

// Decodes all samples in one batch. The bytes of a result slot after its result stay as they were:
// neighbours of a result may be a frame that a sensor fills right now.
std::vector<Decoded> decode(Bench& bench, const std::vector<Sample>& samples) {
  std::size_t payload_bytes = 0;
  std::size_t result_size = 0;
  for (const Sample& sample : samples) {
    payload_bytes = std::max(payload_bytes, sample.payload.size());
    result_size = std::max(result_size, result_bytes(sample.recipe, sample.payload.size()));
  }
  const auto frames_ring = bench.ring(samples.size(), payload_bytes);
  const auto results_ring = bench.ring(samples.size(), result_size + kPageBytes);
  std::vector<FrameRef> frames;
  std::vector<FrameWriter> results;
  for (const Sample& sample : samples) {
    frames.push_back(frame_of(*frames_ring, sample.payload, sample.info));
    EXPECT_TRUE(decodable(sample.recipe, frames.back().info()));
    results.push_back(results_ring->acquire());
    std::ranges::fill(results.back().bytes(), kUntouched);
  }
  std::vector<Work> batch;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    batch.push_back({.frame = &frames[i], .result = &results[i], .recipe = &samples[i].recipe});
  }
  EXPECT_EQ(bench.run(batch), DeviceQueue::State::done) << bench.queue->error();

  std::vector<Decoded> decoded;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    const std::size_t bytes = result_shape(samples[i].recipe, frames[i].info()).bytes;
    const std::span<std::byte> slot = results[i].bytes();
    decoded.push_back({Bytes(slot.begin(), slot.begin() + static_cast<std::ptrdiff_t>(bytes)),
                       {batch[i].checksum[0], batch[i].checksum[1]}});
    EXPECT_TRUE(
        std::ranges::all_of(slot.subspan(bytes), [](std::byte byte) { return byte == kUntouched; }))
        << "sample " << i << ": written past its result";
    EXPECT_FALSE(
        std::ranges::all_of(slot.first(bytes), [](std::byte byte) { return byte == kUntouched; }))
        << "sample " << i << ": no result";
  }
  return decoded;
}

// Everything that a kernel reads as a value is random; what it reads as structure is mostly right.
Bytes lidar(std::mt19937& random, std::size_t packets, std::byte mode) {
  Bytes bytes = random_bytes(random, packets * 1206);
  auto azimuth = static_cast<std::uint32_t>(random() % 36000);
  for (std::size_t p = 0; p < packets; ++p) {
    std::byte* const packet = bytes.data() + p * 1206;
    for (std::size_t block = 0; block < 12; ++block) {
      if (random() % 50 == 0) continue;  // a block that is none
      std::byte* const head = packet + 100 * block;
      head[0] = std::byte{0xFF};
      head[1] = std::byte{0xEE};
      azimuth = (azimuth + 40) % 36000;
      head[2] = static_cast<std::byte>(azimuth & 0xff);
      head[3] = static_cast<std::byte>(azimuth >> 8);
      if (random() % 3 == 0) head[4] = head[5] = std::byte{0};  // no return
    }
    packet[1204] = mode;
  }
  return bytes;
}

std::vector<Sample> lidar_samples(std::mt19937& random) {
  constexpr Recipe kLidar{.kind = RecipeKind::velodyne_vlp16, .checksum = true};
  std::vector<Sample> samples;
  for (const std::byte mode : {std::byte{0x37}, std::byte{0x38}, std::byte{0x39}}) {
    samples.push_back({kLidar, lidar(random, 76, mode)});
    samples.push_back({kLidar, lidar(random, 1, mode)});
  }
  samples.push_back(
      {kLidar, lidar(random, 3, std::byte{0x37}), {.skip_blocks_head = 5, .skip_blocks_tail = 11}});
  samples.push_back({kLidar, random_bytes(random, 4 * 1206)});  // nothing in it is a block
  return samples;
}

std::vector<Sample> image_samples(std::mt19937& random, RecipeKind kind) {
  std::vector<Sample> samples;
  for (const auto& [width, height] :
       {std::pair{2u, 2u}, std::pair{2u, 3u}, std::pair{640u, 481u}, std::pair{34u, 1000u}}) {
    for (const BayerPattern pattern :
         {BayerPattern::rg, BayerPattern::gr, BayerPattern::gb, BayerPattern::bg}) {
      const std::size_t bytes = (kind == RecipeKind::uyvy ? 2u : 1u) * std::size_t{width} * height;
      samples.push_back({{.kind = kind,
                          .width = width,
                          .height = height,
                          .pattern = pattern,
                          .checksum = width == 640},
                         random_bytes(random, bytes)});
      if (kind == RecipeKind::uyvy) break;  // has no pattern
    }
  }
  return samples;
}

// The host is the measure here; what is right on the host, the kernels' own tests say.
struct DecodeContract : OnEveryDevice {
  static constexpr std::size_t kSlabBytes = std::size_t{192} << 20;
  std::mt19937 random{13};  // NOLINT(cert-msc51-cpp): the same payloads every time

  void SetUp() override { make_bench(kSlabBytes); }

  void expect_as_on_host(const std::vector<Sample>& samples) {
    Bench host{make_device(kHost.choice), kSlabBytes};
    for (std::size_t from = 0; from < samples.size();) {
      const std::size_t count =
          std::min({samples.size() - from, bench->queue->max_batch(), host.queue->max_batch()});
      const std::vector<Sample> part(samples.begin() + static_cast<std::ptrdiff_t>(from),
                                     samples.begin() + static_cast<std::ptrdiff_t>(from + count));
      const std::vector<Decoded> here = decode(*bench, part);
      const std::vector<Decoded> there = decode(host, part);
      for (std::size_t i = 0; i < count; ++i) {
        EXPECT_TRUE(here[i] == there[i]) << "sample " << from + i << " differs from the host's";
      }
      from += count;
    }
  }
};

TEST_P(DecodeContract, MakesTheSamePointsAsTheHost) { expect_as_on_host(lidar_samples(random)); }

TEST_P(DecodeContract, MakesTheSameImagesOfBayerMosaicsAsTheHost) {
  expect_as_on_host(image_samples(random, RecipeKind::bayer8));
}

TEST_P(DecodeContract, MakesTheSameImagesOfUyvyAsTheHost) {
  expect_as_on_host(image_samples(random, RecipeKind::uyvy));
}

TEST_P(DecodeContract, TakesFramesOfDifferentKindsInOneBatch) {
  std::vector<Sample> mixed;
  mixed.push_back(lidar_samples(random)[0]);
  mixed.push_back(image_samples(random, RecipeKind::bayer8)[8]);
  mixed.push_back(image_samples(random, RecipeKind::uyvy)[2]);
  mixed.push_back(lidar_samples(random)[6]);

  expect_as_on_host(mixed);
}

TEST_P(DecodeContract, SumsOnlyWhenTheRecipeSaysSo) {
  Sample sample = lidar_samples(random)[1];
  sample.recipe.checksum = false;

  const std::vector<Decoded> decoded = decode(*bench, {sample});

  EXPECT_EQ(decoded[0].sums[0], 0u);
  EXPECT_EQ(decoded[0].sums[1], 0u);
}

INSTANTIATE_TEST_SUITE_P(Devices, DecodeContract, testing::Values(kHost, kCudaMapped, kCudaCopied),
                         [](const auto& tested) { return tested.param.name; });

}  // namespace
}  // namespace penstock::test
