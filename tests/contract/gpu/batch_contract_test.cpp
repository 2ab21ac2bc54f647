// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/device.hpp"
#include "tests/contract/gpu/device_fixture.hpp"
#include "tests/support/alloc_guard.hpp"

#include <algorithm>
#include <cstdint>

namespace penstock::test {
namespace {

constexpr Recipe kSums{.kind = RecipeKind::checksum};

// Fletcher's sums by their definition: after every word, the second grows by the first.
std::pair<std::uint64_t, std::uint64_t> sums_of(const Bytes& payload) {
  std::uint64_t a = 0;
  std::uint64_t b = 0;
  for (std::size_t at = 0; at < payload.size(); at += 4) {
    std::uint64_t word = 0;
    for (std::size_t i = 0; i < 4 && at + i < payload.size(); ++i) {
      word |= std::to_integer<std::uint64_t>(payload[at + i]) << (8 * i);
    }
    a += word;
    b += a;
  }
  return {a, b};
}

struct BatchContract : OnEveryDevice {
  std::mt19937 random{11};  // NOLINT(cert-msc51-cpp): the same payloads every time

  void SetUp() override { make_bench(std::size_t{64} << 20); }

  // Sums `payloads` in one batch and compares each with the definition.
  void expect_sums(SlotRing& ring, const std::vector<Bytes>& payloads) {
    std::vector<FrameRef> frames;
    for (const Bytes& payload : payloads) frames.push_back(frame_of(ring, payload));
    std::vector<Work> batch;
    for (const FrameRef& frame : frames) batch.push_back({.frame = &frame, .recipe = &kSums});

    ASSERT_EQ(bench->run(batch), DeviceQueue::State::done) << bench->queue->error();

    for (std::size_t i = 0; i < payloads.size(); ++i) {
      const std::pair<std::uint64_t, std::uint64_t> got{batch[i].checksum[0], batch[i].checksum[1]};
      ASSERT_EQ(got, sums_of(payloads[i]))
          << "frame " << i << " of " << payloads.size() << ", " << payloads[i].size() << " bytes";
      ASSERT_EQ(batch[i].delivery, bench->device->delivery());
    }
  }
};

TEST_P(BatchContract, SaysWhatItIs) {
  const std::string kind = GetParam().choice.kind == DeviceChoice::Kind::host ? "host" : "cuda:0 ";
  EXPECT_EQ(bench->device->description().substr(0, kind.size()), kind);
}

TEST_P(BatchContract, PinsASecondTimeAfterTheFirstIsGivenBack) {
  for (int i = 0; i < 3; ++i) {
    const PinnedMemory more = bench->device->pin(Mapping{std::size_t{1} << 20});
    EXPECT_FALSE(more.host().empty());
  }
}

TEST_P(BatchContract, SumsPayloadsOfEveryAwkwardLength) {
  const auto ring = bench->ring(bench->queue->max_batch(), kPageBytes);
  for (const std::size_t bytes : {0u, 1u, 3u, 4u, 5u, 127u, 1206u, 4093u, 4096u}) {
    expect_sums(*ring, {random_bytes(random, bytes)});
  }
}

TEST_P(BatchContract, SumsAPayloadOfManyBlocksOfThreads) {
  const auto ring = bench->ring(1, std::size_t{24} << 20);
  expect_sums(*ring, {random_bytes(random, (std::size_t{24} << 20) - 3)});
}

TEST_P(BatchContract, GivesEveryFrameOfTheLargestBatchItsOwnSums) {
  const std::size_t most = bench->queue->max_batch();
  const auto ring = bench->ring(most, 2 * kPageBytes);
  std::vector<Bytes> payloads;
  for (std::size_t i = 0; i < most; ++i) payloads.push_back(random_bytes(random, 1 + i * 31));

  expect_sums(*ring, payloads);
}

TEST_P(BatchContract, SumsAnewWhateverTheLastBatchLeft) {
  const auto ring = bench->ring(bench->queue->max_batch(), kPageBytes);
  for (int turn = 0; turn < 20; ++turn) {
    const std::size_t count = 1 + random() % bench->queue->max_batch();
    std::vector<Bytes> payloads;
    for (std::size_t i = 0; i < count; ++i) {
      payloads.push_back(random_bytes(random, random() % kPageBytes));
    }
    expect_sums(*ring, payloads);
    if (HasFatalFailure()) return;
  }
}

TEST_P(BatchContract, ReadsFramesThatLieFarApart) {
  const auto near = bench->ring(1, kPageBytes);
  const auto gap = bench->slab.take(std::size_t{8} << 20);
  const auto far = bench->ring(1, kPageBytes);
  const Bytes first = random_bytes(random, 4000);
  const Bytes second = random_bytes(random, 4001);
  const FrameRef a = frame_of(*far, first);
  const FrameRef b = frame_of(*near, second);
  std::vector<Work> batch{{.frame = &a, .recipe = &kSums}, {.frame = &b, .recipe = &kSums}};

  ASSERT_EQ(bench->run(batch), DeviceQueue::State::done);

  EXPECT_EQ(batch[0].checksum[0], sums_of(first).first);
  EXPECT_EQ(batch[1].checksum[0], sums_of(second).first);
}

TEST_P(BatchContract, AllocatesNothingPerBatch) {
  const auto ring = bench->ring(8, kPageBytes);
  const Bytes payload = random_bytes(random, 4000);
  const FrameRef frame = frame_of(*ring, payload);
  std::vector<Work> batch(8, Work{.frame = &frame, .recipe = &kSums});
  ASSERT_EQ(bench->run(batch), DeviceQueue::State::done);
  const auto before = allocations_on_this_thread();

  for (int turn = 0; turn < 20; ++turn) {
    ASSERT_EQ(bench->run(batch), DeviceQueue::State::done);
  }

  EXPECT_EQ(allocations_on_this_thread(), before);
  EXPECT_EQ(batch[7].checksum[0], sums_of(payload).first) << "summed anew in every turn";
  EXPECT_EQ(batch[7].checksum[1], sums_of(payload).second);
}

TEST_P(BatchContract, IsDoneWithAFrameWhenItsQueueIsGone) {
  const auto ring = bench->ring(1, std::size_t{24} << 20);
  const FrameRef frame = frame_of(*ring, random_bytes(random, std::size_t{24} << 20));
  std::vector<Work> batch{{.frame = &frame, .recipe = &kSums}};
  ASSERT_TRUE(bench->queue->submit(batch));

  bench->queue.reset();  // in flight, on a GPU
  bench->queue = bench->device->make_queue(bench->slab.memory());

  EXPECT_EQ(bench->run(batch), DeviceQueue::State::done) << "the device is as good as before";
}

INSTANTIATE_TEST_SUITE_P(Devices, BatchContract,
                         testing::Values(kHost, kHostLocked, kCudaMapped, kCudaCopied),
                         [](const auto& tested) { return tested.param.name; });

// Memory is registered in chunks of 1 GiB, which kernels must not notice.
struct SeamContract : OnEveryDevice {
  void SetUp() override { make_bench((std::size_t{1} << 30) + (std::size_t{4} << 20)); }
};

TEST_P(SeamContract, AFrameMayLieAcrossTwoRegistrations) {
  const auto before = bench->slab.take((std::size_t{1} << 30) - kPageBytes);
  ASSERT_TRUE(before);
  const auto ring = bench->ring(1, 2 * kPageBytes);
  std::mt19937 random{12};  // NOLINT(cert-msc51-cpp): the same payload every time
  const Bytes payload = random_bytes(random, 2 * kPageBytes);
  const FrameRef frame = frame_of(*ring, payload);
  ASSERT_EQ(frame.bytes().data() + kPageBytes, bench->slab.memory().host().data() + (1 << 30));
  std::vector<Work> batch{{.frame = &frame, .recipe = &kSums}};

  ASSERT_EQ(bench->run(batch), DeviceQueue::State::done) << bench->queue->error();

  EXPECT_EQ(batch[0].checksum[0], sums_of(payload).first);
  EXPECT_EQ(batch[0].checksum[1], sums_of(payload).second);
}

INSTANTIATE_TEST_SUITE_P(Devices, SeamContract, testing::Values(kCudaMapped, kCudaCopied),
                         [](const auto& tested) { return tested.param.name; });

}  // namespace
}  // namespace penstock::test
