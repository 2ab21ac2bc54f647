// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "buffer/delivered_frame.hpp"
#include "buffer/pinned_memory.hpp"
#include "gpu/recipe.hpp"

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace penstock {

// One frame's work: read `frame`, write `result`. The lane owns the leases and keeps them until the
// queue says that the batch is done.
struct Work {
  const FrameRef* frame = nullptr;
  FrameWriter* result = nullptr;  // null: the recipe makes no result
  const Recipe* recipe = nullptr;
  std::uint64_t checksum[2] = {0, 0};    // out, valid once the batch is done
  Delivery delivery = Delivery::mapped;  // out: how the frame became readable, set by submit()
};

// One line of work on a device, in order: on a GPU, one non-blocking CUDA stream.
//
// Thread: one lane.
// Cost: allocates nothing after construction.
class DeviceQueue {
 public:
  enum class State : std::uint8_t { pending, done, failed };

  DeviceQueue() = default;
  DeviceQueue(const DeviceQueue&) = delete;
  DeviceQueue& operator=(const DeviceQueue&) = delete;
  virtual ~DeviceQueue() = default;  // waits until the device touches no frame any more

  // The largest batch that submit() takes.
  [[nodiscard]] virtual std::size_t max_batch() const noexcept = 0;

  // Starts a batch; at most one is in flight. False when the device refuses: nothing of it will run
  // and `error()` says why. `batch` stays untouched by the caller until poll() is not pending.
  [[nodiscard]] virtual bool submit(std::span<Work> batch) noexcept = 0;

  // The state of the batch in flight. `done`: all results and sums are visible to the host.
  // `failed`: nothing on the device will touch the frames again, and their results are void.
  [[nodiscard]] virtual State poll() noexcept = 0;

  // What the device said last when it refused or failed.
  [[nodiscard]] virtual std::string_view error() const noexcept = 0;
};

// Where kernels run. Lifetime: outlives the memory it pinned and its queues.
class Device {
 public:
  Device() = default;
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;
  virtual ~Device() = default;

  // One line for the operator: "host" or "cuda:0 NVIDIA H200, mapped memory".
  [[nodiscard]] virtual std::string description() const = 0;
  // How frames in memory that this device pinned are read.
  [[nodiscard]] virtual Delivery delivery() const noexcept = 0;

  // Locks the pages and registers them with the device. Throws Error with the limit in the hint.
  [[nodiscard]] virtual PinnedMemory pin(Mapping mapping) = 0;

  // `slab` is the memory that every frame and result of this queue lies in; it outlives the queue.
  [[nodiscard]] virtual std::unique_ptr<DeviceQueue> make_queue(const PinnedMemory& slab) = 0;
};

struct DeviceChoice {
  enum class Kind : std::uint8_t { host, cuda, automatic };
  Kind kind = Kind::host;
  int index = 0;             // cuda: which GPU
  bool allow_mapped = true;  // false: behave as on a GPU without canMapHostMemory
  bool lock_pages = true;    // host: lock the pages of pinned memory (mlock)
};

// Throws Error (device_not_found, unsupported) that names the cause and the remedy. `automatic`
// takes the first CUDA GPU that works and else the host, and logs which and why.
[[nodiscard]] std::unique_ptr<Device> make_device(const DeviceChoice& choice);

// The parts that make_device() is put together from. gpu/cuda/ or, in a build without CUDA,
// gpu/no_cuda.cpp defines the second.
[[nodiscard]] std::unique_ptr<Device> make_host_device(const DeviceChoice& choice);
[[nodiscard]] std::unique_ptr<Device> make_cuda_device(const DeviceChoice& choice);

}  // namespace penstock
