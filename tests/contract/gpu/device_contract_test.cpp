// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#include "buffer/slab.hpp"
#include "buffer/slot_ring.hpp"
#include "gpu/device.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

namespace penstock {
namespace {

// What every device promises, tried on each that this machine has.
struct Way {
  std::string name;
  DeviceChoice choice;
  Delivery delivery;
};
void PrintTo(const Way& way, std::ostream* out) { *out << way.name; }

constexpr std::size_t kSlotBytes = 256 * 1024;
constexpr std::uint32_t kSlots = 16;
constexpr std::size_t kSlabBytes = 2 * kSlots * kSlotBytes;

// A device with a slab on it, and one ring each for frames and results.
class Bench {
 public:
  explicit Bench(const DeviceChoice& choice)
      : device_{make_device(choice)},
        slab_{device_->pin(Mapping{kSlabBytes})},
        queue_{device_->make_queue(slab_.memory())},
        frames_{*slab_.take(kSlots * kSlotBytes), kSlots, kSlotBytes, waker_},
        results_{*slab_.take(kSlots * kSlotBytes), kSlots, kSlotBytes, waker_} {}

  struct Outcome {
    std::vector<std::byte> result;
    std::uint64_t checksum[2];
    Delivery delivery;
  };

  // Runs `payloads` as one batch through `recipe`.
  std::vector<Outcome> run(const Recipe& recipe,
                           const std::vector<std::vector<std::byte>>& payloads) {
    std::vector<FrameRef> frames;
    std::vector<FrameWriter> results;
    for (const auto& payload : payloads) {
      FrameWriter writer = frames_.acquire();
      std::memcpy(writer.bytes().data(), payload.data(), payload.size());
      frames.push_back(std::move(writer).publish({.bytes = payload.size()}));
      results.push_back(result_bytes(recipe, payload.size()) != 0 ? results_.acquire()
                                                                  : FrameWriter{});
    }
    std::vector<Work> batch;
    for (std::size_t i = 0; i < frames.size(); ++i) {
      batch.push_back(
          {.frame = &frames[i], .result = results[i] ? &results[i] : nullptr, .recipe = &recipe});
    }
    if (!queue_->submit(batch)) throw std::runtime_error{std::string{queue_->error()}};
    while (queue_->poll() == DeviceQueue::State::pending) {
    }
    if (queue_->poll() != DeviceQueue::State::done) {
      throw std::runtime_error{std::string{queue_->error()}};
    }
    std::vector<Outcome> outcomes;
    for (std::size_t i = 0; i < batch.size(); ++i) {
      const std::size_t bytes = result_bytes(recipe, payloads[i].size());
      const std::byte* const at = bytes != 0 ? results[i].bytes().data() : nullptr;
      outcomes.push_back(
          {{at, at + bytes}, {batch[i].checksum[0], batch[i].checksum[1]}, batch[i].delivery});
    }
    return outcomes;
  }

  [[nodiscard]] const PinnedMemory& memory() const { return slab_.memory(); }
  [[nodiscard]] DeviceQueue& queue() { return *queue_; }

 private:
  std::unique_ptr<Device> device_;
  Waker waker_;
  Slab slab_;
  std::unique_ptr<DeviceQueue> queue_;
  SlotRing frames_;
  SlotRing results_;
};

class DeviceContract : public testing::TestWithParam<Way> {
 protected:
  void SetUp() override {
    try {
      bench = std::make_unique<Bench>(GetParam().choice);
    } catch (const std::exception& error) {
      if (GetParam().choice.kind == DeviceChoice::Kind::host) throw;
      GTEST_SKIP() << error.what();
    }
  }
  static std::vector<std::byte> noise(std::size_t bytes, unsigned seed) {
    std::mt19937 random{seed};
    std::vector<std::byte> data(bytes);
    for (std::byte& byte : data) byte = static_cast<std::byte>(random());
    return data;
  }
  // The same on the host device.
  static std::vector<Bench::Outcome> on_host(const Recipe& recipe,
                                             const std::vector<std::vector<std::byte>>& payloads) {
    return Bench{{.lock_pages = false}}.run(recipe, payloads);
  }
  void expect_as_on_host(const Recipe& recipe,
                         const std::vector<std::vector<std::byte>>& payloads) {
    const auto ours = bench->run(recipe, payloads);
    const auto host = on_host(recipe, payloads);
    for (std::size_t i = 0; i < payloads.size(); ++i) {
      EXPECT_TRUE(ours[i].result == host[i].result) << "result " << i;
      EXPECT_EQ(ours[i].checksum[0], host[i].checksum[0]);
      EXPECT_EQ(ours[i].checksum[1], host[i].checksum[1]);
      EXPECT_EQ(ours[i].delivery, GetParam().delivery);
    }
  }

  std::unique_ptr<Bench> bench;
};

TEST_P(DeviceContract, PinsWholePages) {
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(bench->memory().host().data()) % kPageBytes, 0u);
  EXPECT_EQ(bench->memory().device() != nullptr, GetParam().delivery == Delivery::mapped);
}

TEST_P(DeviceContract, SumsPayloadsAsTheDefinitionSays) {
  std::vector<std::vector<std::byte>> payloads;
  for (const std::size_t bytes : {1u, 2u, 3u, 4u, 15u, 16u, 17u, 4096u, 65'537u, 262'144u}) {
    payloads.push_back(noise(bytes, static_cast<unsigned>(bytes)));
  }
  for (std::size_t from = 0; from < payloads.size(); from += bench->queue().max_batch()) {
    const auto to = std::min(from + bench->queue().max_batch(), payloads.size());
    const std::vector part(payloads.begin() + static_cast<std::ptrdiff_t>(from),
                           payloads.begin() + static_cast<std::ptrdiff_t>(to));
    const auto outcomes = bench->run({}, part);
    for (std::size_t i = 0; i < part.size(); ++i) {
      std::vector<std::uint64_t> words((part[i].size() + 3) / 4);
      for (std::size_t k = 0; k < part[i].size(); ++k) {
        words[k / 4] += std::to_integer<std::uint64_t>(part[i][k]) << (8 * (k % 4));
      }
      std::uint64_t a = 0;
      std::uint64_t b = 0;
      for (std::size_t k = 0; k < words.size(); ++k) {
        a += words[k];
        b += (words.size() - k) * words[k];
      }
      EXPECT_EQ(outcomes[i].checksum[0], a) << part[i].size();
      EXPECT_EQ(outcomes[i].checksum[1], b) << part[i].size();
    }
  }
}

TEST_P(DeviceContract, DecodesPointsToTheSameBytesAsTheHost) {
  std::vector<std::vector<std::byte>> scans;
  for (unsigned seed = 0; seed < 4; ++seed) {
    auto scan = noise(1206 * (seed + 3), seed);  // hostile packets are packets too
    for (std::size_t packet = 0; packet < scan.size(); packet += 1206) {
      for (std::size_t block = 0; block < 12; ++block) {
        scan[packet + 100 * block] = std::byte{0xFF};
        scan[packet + 100 * block + 1] = std::byte{0xEE};
      }
      scan[packet + 1204] = std::byte(0x37 + seed % 3);
    }
    scans.push_back(std::move(scan));
  }
  expect_as_on_host({.kind = RecipeKind::velodyne_vlp16, .checksum = true}, scans);
}

TEST_P(DeviceContract, DecodesImagesToTheSameBytesAsTheHost) {
  for (const auto pattern :
       {BayerPattern::rg, BayerPattern::gr, BayerPattern::gb, BayerPattern::bg}) {
    expect_as_on_host({.kind = RecipeKind::bayer8, .width = 131, .height = 67, .pattern = pattern},
                      {noise(131 * 67, 1), noise(131 * 67, 2)});
  }
  expect_as_on_host({.kind = RecipeKind::uyvy, .width = 130, .height = 67},
                    {noise(2 * 130 * 67, 3), noise(2 * 130 * 67, 4)});
}

INSTANTIATE_TEST_SUITE_P(
    Every, DeviceContract,
    testing::Values(Way{"host", {.lock_pages = false}, Delivery::mapped},
                    Way{"cuda_mapped", {.kind = DeviceChoice::Kind::cuda}, Delivery::mapped},
                    Way{"cuda_copied",
                        {.kind = DeviceChoice::Kind::cuda, .allow_mapped = false},
                        Delivery::copied}),
    [](const auto& way) { return way.param.name; });

}  // namespace
}  // namespace penstock
