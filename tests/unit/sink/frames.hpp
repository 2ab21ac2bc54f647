// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/waker.hpp"
#include "buffer/delivered_frame.hpp"
#include "buffer/slot_ring.hpp"
#include "tests/support/plain_memory.hpp"

#include <stdlib.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace penstock::test {

// A record as a kernel might lay it out: in another order than files have it, and padded.
struct Record {
  float x = 0, y = 0, z = 0;
  std::uint32_t time = 0;
  std::uint16_t ring = 0;
  std::uint8_t intensity = 0;
  std::uint8_t echo = 0;  // its field is called `return`
  float doppler = 0;      // not in the fixed order
};
inline constexpr Field kRecordFields[] = {
    {"doppler", offsetof(Record, doppler), ElementType::f32},
    {"time", offsetof(Record, time), ElementType::u32},
    {"x", offsetof(Record, x), ElementType::f32},
    {"y", offsetof(Record, y), ElementType::f32},
    {"z", offsetof(Record, z), ElementType::f32},
    {"return", offsetof(Record, echo), ElementType::u8},
    {"ring", offsetof(Record, ring), ElementType::u16},
    {"intensity", offsetof(Record, intensity), ElementType::u8},
};
inline constexpr RecordLayout kRecords{kRecordFields, sizeof(Record)};

inline constexpr float kNoReturn = std::numeric_limits<float>::quiet_NaN();

template <class T>
std::span<const std::byte> bytes_of_all(const std::vector<T>& values) {
  return std::as_bytes(std::span{values});
}

// Slots for the frames and for the results of one stream.
struct StreamSlots {
  StreamSlots(Slab& slab, std::uint32_t slots, std::uint32_t result_slots)
      : frames{*slab.take(slots * kPageBytes), slots, kPageBytes, waker},
        results{*slab.take(result_slots * kPageBytes), result_slots, kPageBytes, waker} {}

  [[nodiscard]] std::uint32_t outstanding() const noexcept {
    return frames.outstanding() + results.outstanding();
  }

  Waker waker;
  SlotRing frames;
  SlotRing results;
};

// What is put into a frame and its result.
struct Content {
  std::string_view payload = "payload";
  std::span<const std::byte> result{};
  ContentLayout layout{};
  bool whole = true;
};

inline Content points(const std::vector<Record>& records) {
  return {.result = bytes_of_all(records),
          .layout = {.kind = ContentLayout::Kind::points,
                     .records = &kRecords,
                     .count = static_cast<std::uint32_t>(records.size())}};
}

// Three planes of one pixel.
inline Content image(const std::vector<float>& planes) {
  return {.result = bytes_of_all(planes),
          .layout = {.kind = ContentLayout::Kind::image, .width = 1, .height = 1}};
}

// Empty when no slot is free. A content of kind `bytes` makes no result.
inline DeliveredFrame deliver(StreamSlots& slots, StreamId id, std::uint64_t sequence,
                              const Content& content = {}) {
  const bool wants_result = content.layout.kind != ContentLayout::Kind::bytes;
  FrameWriter frame = slots.frames.acquire();
  FrameWriter result = wants_result ? slots.results.acquire() : FrameWriter{};
  if (!frame || (wants_result && !result)) return {};

  FrameInfo info{
      .stream = id, .sequence = sequence, .bytes = content.payload.size(), .whole = content.whole};
  DeliveredFrame delivered;
  std::memcpy(frame.bytes().data(), content.payload.data(), content.payload.size());
  delivered.frame = std::move(frame).publish(info);
  if (!wants_result) return delivered;

  info.bytes = content.result.size();
  info.layout = content.layout;
  std::copy(content.result.begin(), content.result.end(), result.bytes().begin());
  delivered.result = std::move(result).publish(info);
  return delivered;
}

// A folder of the test's own that goes when the test ends.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "penstock-XXXXXX").string();
    path_ = ::mkdtemp(name.data()) == nullptr ? std::string{} : name;
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  [[nodiscard]] const std::string& path() const noexcept { return path_; }
  [[nodiscard]] std::string operator/(std::string_view name) const {
    return path_ + "/" + std::string{name};
  }

 private:
  std::string path_;
};

inline std::string content_of(const std::string& path) {
  std::ifstream file{path, std::ios::binary};
  return {std::istreambuf_iterator<char>{file}, {}};
}

inline std::vector<std::string> files_in(const std::string& folder) {
  std::vector<std::string> names;
  std::error_code missing;
  for (const auto& entry : std::filesystem::directory_iterator{folder, missing}) {
    names.push_back(entry.path().filename().string());
  }
  return names;
}

}  // namespace penstock::test
