// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

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
  // Decodes what is ready, then ends the thread. What the device cannot finish within `drain_ms` is
  // dropped with cause `shutdown`.
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
  struct InFlight;

  std::unique_ptr<DeviceQueue> queue_;
  OnDelivered on_delivered_;
  Waker waker_;
  std::mutex mutex_;
  std::vector<LaneStream*> streams_;
  std::atomic<std::uint64_t> version_{0};
  std::unique_ptr<InFlight> in_flight_;
  std::thread thread_;
};

}  // namespace penstock
