// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/device.hpp"

#include <atomic>
#include <cstdint>
#include <functional>
#include <string_view>
#include <utility>
#include <vector>

namespace penstock::test {

// What a test sees of a SteppedQueue and tells it to do; outlives the queue, which a lane owns.
//
// Thread: `state`, `refuse` and `batches` from any; the rest from the lane's, or after it has
// ended.
struct QueueSteps {
  std::size_t max_batch = 4;
  std::atomic<DeviceQueue::State> state{DeviceQueue::State::done};  // what poll() will say
  std::atomic<bool> refuse{false};                                  // what submit() will do
  std::atomic<int> batches{0};                                      // taken so far

  std::vector<std::size_t> sizes;                        // of the batches
  std::vector<std::pair<StreamId, std::uint64_t>> seen;  // stream and sequence, in order
  std::function<void()> when_destroyed;
};

// A device stepped by hand: a batch is done when the test says so.
class SteppedQueue final : public DeviceQueue {
 public:
  explicit SteppedQueue(QueueSteps& steps) : steps_{steps} {
    steps_.sizes.reserve(kRecorded);  // a test may count what the lane allocates
    steps_.seen.reserve(kRecorded);
  }
  ~SteppedQueue() override {
    if (steps_.when_destroyed) steps_.when_destroyed();
  }

  [[nodiscard]] std::size_t max_batch() const noexcept override { return steps_.max_batch; }

  [[nodiscard]] bool submit(std::span<Work> batch) noexcept override {
    if (steps_.refuse) return false;
    for (Work& work : batch) {
      const FrameInfo& frame = work.frame->info();
      if (steps_.seen.size() < kRecorded) steps_.seen.emplace_back(frame.stream, frame.sequence);
      work.delivery = Delivery::copied;
      work.checksum[0] = 100 + frame.sequence;
      work.checksum[1] = 200 + frame.sequence;
    }
    if (steps_.sizes.size() < kRecorded) steps_.sizes.push_back(batch.size());
    ++steps_.batches;
    return true;
  }

  [[nodiscard]] State poll() noexcept override { return steps_.state; }
  [[nodiscard]] std::string_view error() const noexcept override { return "as the test wished"; }

 private:
  static constexpr std::size_t kRecorded = 1024;
  QueueSteps& steps_;
};

}  // namespace penstock::test
