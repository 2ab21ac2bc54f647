// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#include "net/replay/capture_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace penstock {
namespace {

constexpr std::size_t kPcapHeader = 24;
constexpr std::size_t kPcapRecord = 16;
constexpr std::uint32_t kMicroseconds = 0xA1B2C3D4;
constexpr std::uint32_t kNanoseconds = 0xA1B23C4D;
constexpr std::uint32_t kByteOrder = 0x1A2B3C4D;

// Block types of pcapng.
constexpr std::uint32_t kSection = 0x0A0D0D0A;
constexpr std::uint32_t kInterface = 1;
constexpr std::uint32_t kOldPacket = 2;
constexpr std::uint32_t kSimplePacket = 3;
constexpr std::uint32_t kEnhancedPacket = 6;
constexpr std::uint16_t kOptionResolution = 9;
constexpr std::uint16_t kOptionOffset = 14;

// No link has larger packets, and no tool writes larger blocks: a length beyond is damage.
constexpr std::uint32_t kMostBytes = 16u << 20;
constexpr std::size_t kMostInterfaces = 4096;

template <class T>
T swap(T value) noexcept {
  auto* const bytes = reinterpret_cast<unsigned char*>(&value);
  std::reverse(bytes, bytes + sizeof value);
  return value;
}

std::size_t padded(std::size_t bytes) noexcept { return (bytes + 3) / 4 * 4; }

}  // namespace

template <class T>
T CaptureReader::get(std::size_t at) const noexcept {
  T value{};
  std::memcpy(&value, file_.data() + at, sizeof value);
  return swapped_ ? swap(value) : value;
}

CaptureReader::CaptureReader(std::span<const std::byte> file) noexcept : file_{file} {
  if (file.size() < 12) return;
  const auto magic = get<std::uint32_t>(0);
  if (magic == kSection) {
    format_ = Format::pcapng;  // its byte order stands inside each section
    return;
  }
  if (file.size() < kPcapHeader) return;
  for (const bool swapped : {false, true}) {
    swapped_ = swapped;
    const auto ordered = get<std::uint32_t>(0);
    if (ordered != kMicroseconds && ordered != kNanoseconds) continue;
    format_ = Format::pcap;
    nanoseconds_ = ordered == kNanoseconds;
    link_type_ = get<std::uint32_t>(20) & 0xFFFF;  // above: the length of a frame check sequence
    at_ = kPcapHeader;
    return;
  }
}

std::nullopt_t CaptureReader::truncated() {
  fault_ = fmt::format("truncated at byte {}: the file ends inside the record that begins at {}",
                       file_.size(), at_);
  return std::nullopt;
}

std::nullopt_t CaptureReader::malformed(const char* what) {
  fault_ = fmt::format("malformed at byte {}: {}", at_, what);
  return std::nullopt;
}

std::optional<CaptureRecord> CaptureReader::next() {
  if (fault_ || format_ == Format::none || at_ == file_.size()) return std::nullopt;
  return format_ == Format::pcap ? next_pcap() : next_pcapng();
}

std::optional<CaptureRecord> CaptureReader::next_pcap() {
  if (left() < kPcapRecord) return truncated();
  const auto bytes = get<std::uint32_t>(at_ + 8);
  if (bytes > kMostBytes) return malformed("a record of an impossible length");
  if (left() - kPcapRecord < bytes) return truncated();
  const std::int64_t fraction = get<std::uint32_t>(at_ + 4);
  const CaptureRecord record{.data = file_.subspan(at_ + kPcapRecord, bytes),
                             .original_bytes = std::max(get<std::uint32_t>(at_ + 12), bytes),
                             .link_type = link_type_,
                             .time_ns = std::int64_t{get<std::uint32_t>(at_)} * 1'000'000'000 +
                                        (nanoseconds_ ? fraction : fraction * 1000)};
  at_ += kPcapRecord + bytes;
  return record;
}

bool CaptureReader::begin_section() {
  if (left() < 28) return truncated(), false;
  swapped_ = false;
  if (get<std::uint32_t>(at_ + 8) != kByteOrder) {
    swapped_ = true;
    if (get<std::uint32_t>(at_ + 8) != kByteOrder) {
      return malformed("a section without byte order"), false;
    }
  }
  interfaces_.clear();
  return true;
}

std::optional<CaptureRecord> CaptureReader::next_pcapng() {
  while (at_ != file_.size()) {
    if (left() < 12) return truncated();
    // The type of a section is a palindrome: it can be read before its byte order is known.
    const auto type = get<std::uint32_t>(at_);
    if (type == kSection && !begin_section()) return std::nullopt;
    const auto bytes = get<std::uint32_t>(at_ + 4);
    if (bytes < 12 || bytes % 4 != 0 || bytes > kMostBytes) {
      return malformed("a block of an impossible length");
    }
    if (left() < bytes) return truncated();
    if (get<std::uint32_t>(at_ + bytes - 4) != bytes) {
      return malformed("a block whose two lengths differ");
    }
    const std::size_t block = at_;
    if (type == kInterface) {
      add_interface(block, bytes);
    } else if (type == kEnhancedPacket || type == kOldPacket || type == kSimplePacket) {
      const auto record = packet_block(type, block, bytes);
      if (!record) return std::nullopt;
      at_ += bytes;
      return record;
    }
    if (fault_) return std::nullopt;
    at_ += bytes;
  }
  return std::nullopt;
}

void CaptureReader::add_interface(std::size_t block, std::size_t bytes) {
  if (bytes < 20 || interfaces_.size() == kMostInterfaces) {
    malformed("an interface that is too short, or one too many");
    return;
  }
  Interface interface {
    .link_type = get<std::uint16_t>(block + 8), .snap_bytes = get<std::uint32_t>(block + 12)
  };
  for (std::size_t at = block + 16; at + 4 <= block + bytes - 4;) {
    const auto code = get<std::uint16_t>(at);
    const auto length = get<std::uint16_t>(at + 2);
    if (code == 0 || at + 4 + length > block + bytes - 4) break;
    if (code == kOptionResolution && length == 1) {
      interface.resolution = get<std::uint8_t>(at + 4);
    }
    if (code == kOptionOffset && length == 8) interface.offset_s = get<std::int64_t>(at + 4);
    at += 4 + padded(length);
  }
  interfaces_.push_back(interface);
}

std::optional<CaptureRecord> CaptureReader::packet_block(std::uint32_t type, std::size_t block,
                                                         std::size_t bytes) {
  const std::size_t head = type == kSimplePacket ? 12 : 28;
  if (bytes < head + 4) return malformed("a packet block that is too short");
  const std::size_t room = bytes - head - 4;
  std::size_t index = 0;
  if (type == kEnhancedPacket) index = get<std::uint32_t>(block + 8);
  if (type == kOldPacket) index = get<std::uint16_t>(block + 8);
  if (index >= interfaces_.size()) return malformed("a packet of an interface that is not there");
  const Interface& interface = interfaces_[index];
  std::size_t captured = 0;
  std::size_t original = 0;
  std::uint64_t ticks = 0;
  if (type == kSimplePacket) {
    original = get<std::uint32_t>(block + 8);
    captured = std::min(original, room);
    if (interface.snap_bytes != 0) captured = std::min<std::size_t>(captured, interface.snap_bytes);
  } else {
    ticks = std::uint64_t{get<std::uint32_t>(block + 12)} << 32 | get<std::uint32_t>(block + 16);
    captured = get<std::uint32_t>(block + 20);
    original = get<std::uint32_t>(block + 24);
  }
  if (captured > room) return malformed("a packet that is longer than its block");
  return CaptureRecord{.data = file_.subspan(block + head, captured),
                       .original_bytes = std::max(original, captured),
                       .link_type = interface.link_type,
                       .time_ns = time_ns(interface, ticks)};
}

std::int64_t CaptureReader::time_ns(const Interface& interface, std::uint64_t ticks) noexcept {
  const unsigned exponent = interface.resolution & 0x7F;
  long double seconds = static_cast<long double>(ticks);
  const long double base = (interface.resolution & 0x80) != 0 ? 2.0L : 10.0L;
  for (unsigned i = 0; i < exponent; ++i) seconds /= base;
  // 64 bits of mantissa hold nanoseconds since 1970; what does not fit is nonsense of the file.
  const long double ns = (seconds + static_cast<long double>(interface.offset_s)) * 1e9L;
  constexpr long double kMost = 9.2e18L;
  return ns > -kMost && ns < kMost ? static_cast<std::int64_t>(ns) : 0;
}

}  // namespace penstock
