// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/log_limit.hpp"
#include "base/waker.hpp"
#include "buffer/delivered_frame.hpp"
#include "buffer/slot_ring.hpp"
#include "buffer/stream_account.hpp"
#include "gpu/device.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace penstock {

// One stream as the lane sees it. The server fills it in when the stream opens.
//
// Lifetime: from Lane::add() until `left` is set.
struct LaneStream {
  StreamId id = 0;
  Recipe recipe;
  FrameRing* ready = nullptr;        // frames from the reactor
  SlotRing* results = nullptr;       // null: the recipe makes no result. The lane acquires from it
  StreamAccount* account = nullptr;  // the lane writes `decoding`
  std::atomic<bool> leaving{false};  // set by Lane::remove(): no frame will be pushed any more
  std::atomic<bool> left{false};     // set by the lane: it will not touch this object again
};

// The one thread of a device. Takes the frames that became ready while the last batch was in flight
// and submits them as one batch: an idle lane submits one frame at once, a busy lane submits
// hundreds. A stream whose result slots are all held by sinks waits; the others go on.
//
// Thread: add(), remove(), stop() from any thread. `on_delivered` runs on the lane, once a frame;
// it must not wait or throw. Lifetime: the device and its slab outlive it.
class Lane {
 public:
  using OnDelivered =
      std::function<void(const DeliveredFrame&)>;  // called, never copied, per frame

  Lane(std::unique_ptr<DeviceQueue> queue, OnDelivered on_delivered);
  Lane(const Lane&) = delete;
  Lane& operator=(const Lane&) = delete;
  ~Lane();

  void start();
  // Decodes what is ready, then ends the thread. What could not be decoded within `drain_ms` is
  // dropped with cause `shutdown`; a device that hangs holds its frames until it lets them go,
  // since their memory is not ours before. Without start(), all of it on the calling thread.
  void stop(int drain_ms) noexcept;

  void add(LaneStream& stream);
  // Lets a stream go once its ready frames are decoded; `stream.left` says when.
  void remove(LaneStream& stream) noexcept;

  // To be rung after pushing into a stream's ready ring.
  [[nodiscard]] Waker& waker() noexcept { return waker_; }

  // One turn of the loop: retires what is done and submits what is ready; the number of frames it
  // moved. For tests and for the thread.
  std::size_t do_work() noexcept;

 private:
  struct Batch;

  void run() noexcept;
  void refresh_streams() noexcept;
  void let_go_of_leaving() noexcept;
  void gather() noexcept;
  [[nodiscard]] bool take_one(LaneStream& stream) noexcept;
  [[nodiscard]] bool submit() noexcept;
  [[nodiscard]] bool retire() noexcept;
  void deliver(std::size_t index, std::int64_t now_ns) noexcept;
  void drop_batch(FrameDrop cause) noexcept;
  void drop_ready(FrameDrop cause) noexcept;
  [[nodiscard]] bool anything_ready() noexcept;
  void report_failure() noexcept;

  std::unique_ptr<DeviceQueue> queue_;
  OnDelivered on_delivered_;
  Waker waker_;

  std::mutex mutex_;
  std::vector<LaneStream*> streams_;       // guarded by mutex_
  std::atomic<std::uint64_t> version_{0};  // counts changes of streams_

  // From here on the lane's thread only.
  std::vector<LaneStream*> serving_;  // its copy of streams_
  std::uint64_t version_served_ = 0;
  std::size_t first_ = 0;  // the stream whose turn it is
  std::unique_ptr<Batch> batch_;
  std::size_t moved_ = 0;  // frames, in this turn
  LogLimit failures_;

  std::atomic<std::int64_t> stop_by_ns_{0};  // 0: not asked to stop
  std::thread thread_;
};

}  // namespace penstock
