// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/error.hpp"
#include "base/waker.hpp"
#include "buffer/slot_ring.hpp"
#include "gpu/device.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <memory>
#include <ostream>
#include <random>
#include <span>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace penstock::test {

// One way to have frames decoded.
struct Way {
  const char* name;
  DeviceChoice choice;
};
inline void PrintTo(const Way& way, std::ostream* out) { *out << way.name; }

inline constexpr Way kHost{"host", {.kind = DeviceChoice::Kind::host, .lock_pages = false}};
inline constexpr Way kHostLocked{"host_locked", {.kind = DeviceChoice::Kind::host}};
inline constexpr Way kCudaMapped{"cuda_mapped", {.kind = DeviceChoice::Kind::cuda}};
inline constexpr Way kCudaCopied{"cuda_copied",
                                 {.kind = DeviceChoice::Kind::cuda, .allow_mapped = false}};

// A device with a slab and one queue.
//
// Lifetime: frames that it makes end before it.
class Bench {
 public:
  Bench(std::unique_ptr<Device> on, std::size_t bytes)
      : device{std::move(on)},
        slab{device->pin(Mapping{bytes})},
        queue{device->make_queue(slab.memory())} {}

  // `slots` neighbours for frames of at most `bytes`.
  std::unique_ptr<SlotRing> ring(std::size_t slots, std::size_t bytes) {
    const std::size_t slot = round_up_to_page(bytes);
    auto part = slab.take(slots * slot);
    if (!part) throw Error{Errc::limit_exceeded, "take slots for a test"};
    return std::make_unique<SlotRing>(std::move(*part), static_cast<std::uint32_t>(slots), slot,
                                      waker);
  }

  // Runs a batch to its end.
  DeviceQueue::State run(std::span<Work> batch) {
    if (!queue->submit(batch)) return DeviceQueue::State::failed;
    for (;;) {
      const DeviceQueue::State state = queue->poll();
      if (state != DeviceQueue::State::pending) return state;
      std::this_thread::yield();
    }
  }

  std::unique_ptr<Device> device;
  Slab slab;
  Waker waker;
  std::unique_ptr<DeviceQueue> queue;
};

using Bytes = std::vector<std::byte>;

inline Bytes random_bytes(std::mt19937& random, std::size_t count) {
  Bytes bytes(count);
  for (std::byte& byte : bytes) byte = static_cast<std::byte>(random() & 0xff);
  return bytes;
}

// A frame with this payload, as a reactor would publish it.
inline FrameRef frame_of(SlotRing& ring, const Bytes& payload, FrameInfo info = {}) {
  FrameWriter writer = ring.acquire();
  if (!payload.empty()) std::memcpy(writer.bytes().data(), payload.data(), payload.size());
  info.bytes = payload.size();
  return std::move(writer).publish(info);
}

// The device of the parameter, or a skip that says why there is none. Only a device that is not
// there and memory that may not be locked are skipped: whatever fails after that is a failure.
struct OnEveryDevice : testing::TestWithParam<Way> {
  std::unique_ptr<Bench> bench;

  void make_bench(std::size_t bytes) {
    const DeviceChoice& choice = GetParam().choice;
    std::unique_ptr<Device> device;
    try {
      device = make_device(choice);
    } catch (const Error& error) {
      if (choice.kind == DeviceChoice::Kind::host) throw;
      GTEST_SKIP() << error.what();
    }
    try {
      bench = std::make_unique<Bench>(std::move(device), bytes);
    } catch (const Error& error) {
      if (choice.kind != DeviceChoice::Kind::host || !choice.lock_pages) throw;
      GTEST_SKIP() << error.what();
    }
  }
};

}  // namespace penstock::test
