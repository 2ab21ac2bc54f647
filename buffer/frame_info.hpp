// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace penstock {

// The number of a stream within this server's life; never used twice.
using StreamId = std::uint32_t;

// How a frame became readable by the device.
enum class Delivery : std::uint8_t {
  mapped,    // the kernel read the pinned slot itself
  copied,    // an asynchronous copy into device memory, then the kernel
  resident,  // a persistent kernel woken by a doorbell
  direct,    // the NIC wrote into device memory
  count_,    // keep last
};
[[nodiscard]] std::string_view name(Delivery delivery) noexcept;

enum class ElementType : std::uint8_t { u8, u16, u32, f32 };
[[nodiscard]] std::size_t bytes_of(ElementType type) noexcept;

// One field of a record of an array of structures.
struct Field {
  std::string_view name;
  std::size_t offset;  // bytes from the start of the record
  ElementType type;
};

// An array of records: a point cloud. The fields live as long as the program.
struct RecordLayout {
  std::span<const Field> fields;
  std::size_t stride;  // bytes from one record to the next
};

// What a frame's bytes are. Input frames are `bytes` (the payload as it came over the wire);
// results say what a kernel made, so that a sink needs to know no kernel.
struct ContentLayout {
  enum class Kind : std::uint8_t { bytes, points, image };
  Kind kind = Kind::bytes;

  const RecordLayout* records = nullptr;  // points
  std::uint32_t count = 0;                // points: records, returns and no-returns alike

  std::uint32_t width = 0;  // image: float32 planes R, G, B, each height × width, 0..1
  std::uint32_t height = 0;
};

inline constexpr std::int64_t kNoSensorTime = -1;

// What is known about a frame, beside its bytes.
struct FrameInfo {
  StreamId stream = 0;
  std::uint64_t sequence = 0;  // counts up by one within a stream, from 0, as its sender says
  std::int64_t sensor_time_ns = kNoSensorTime;  // the sender's clock, as it gave it
  std::int64_t received_ns = 0;                 // monotonic: when its first byte was seen
  std::int64_t completed_ns = 0;                // monotonic: when its last byte was in its place
  std::uint64_t bytes = 0;                      // bytes in the slot
  std::uint64_t bytes_expected = 0;  // bytes that a whole frame has; 0: the format does not say
  bool whole = true;                 // false: some of it never came

  // Lidar packets hold several firings, and a turn begins and ends inside a packet. How many
  // firing blocks at the head of the first packet belong to the frame before, and how many at the
  // tail of the last one to the frame after.
  std::uint16_t skip_blocks_head = 0;
  std::uint16_t skip_blocks_tail = 0;

  ContentLayout layout{};
};

}  // namespace penstock
