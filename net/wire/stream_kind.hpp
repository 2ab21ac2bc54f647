// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace penstock {

// What the frames of a stream hold. The numbers go over the wire (docs/wire-protocol.md) and the
// names stand in configuration files: neither ever changes.
enum class StreamKind : std::uint16_t {
  raw = 0,             // bytes that only their consumer understands
  imu = 1,             // samples of 56 bytes, little endian: i64 ns, 3 × f64 m/s², 3 × f64 rad/s
  velodyne_vlp16 = 2,  // data packets of 1206 bytes, back to back
  bayer_rg8 = 16,      // 8-bit Bayer mosaic, width × height bytes; named by its first two pixels
  bayer_gr8 = 17,
  bayer_gb8 = 18,
  bayer_bg8 = 19,
  uyvy = 32,  // Cb Y0 Cr Y1, width × height × 2 bytes
};

struct StreamKindName {
  StreamKind kind;
  std::string_view name;
};

inline constexpr std::array kStreamKinds{
    StreamKindName{StreamKind::raw, "raw"},
    StreamKindName{StreamKind::imu, "imu"},
    StreamKindName{StreamKind::velodyne_vlp16, "velodyne_vlp16"},
    StreamKindName{StreamKind::bayer_rg8, "bayer_rg8"},
    StreamKindName{StreamKind::bayer_gr8, "bayer_gr8"},
    StreamKindName{StreamKind::bayer_gb8, "bayer_gb8"},
    StreamKindName{StreamKind::bayer_bg8, "bayer_bg8"},
    StreamKindName{StreamKind::uyvy, "uyvy"},
};

[[nodiscard]] constexpr std::string_view name(StreamKind kind) noexcept {
  for (const StreamKindName& entry : kStreamKinds) {
    if (entry.kind == kind) return entry.name;
  }
  return "unknown";
}

[[nodiscard]] constexpr std::optional<StreamKind> stream_kind(std::string_view name) noexcept {
  for (const StreamKindName& entry : kStreamKinds) {
    if (entry.name == name) return entry.kind;
  }
  return std::nullopt;
}

[[nodiscard]] constexpr std::optional<StreamKind> stream_kind(std::uint16_t number) noexcept {
  for (const StreamKindName& entry : kStreamKinds) {
    if (static_cast<std::uint16_t>(entry.kind) == number) return entry.kind;
  }
  return std::nullopt;
}

// Bytes of one whole image, or 0 for kinds that are not images.
[[nodiscard]] constexpr std::uint64_t image_bytes(StreamKind kind, std::uint32_t width,
                                                  std::uint32_t height) noexcept {
  const std::uint64_t pixels = std::uint64_t{width} * height;
  switch (kind) {
    case StreamKind::bayer_rg8:
    case StreamKind::bayer_gr8:
    case StreamKind::bayer_gb8:
    case StreamKind::bayer_bg8:
      return pixels;
    case StreamKind::uyvy:
      return 2 * pixels;
    case StreamKind::raw:
    case StreamKind::imu:
    case StreamKind::velodyne_vlp16:
      break;
  }
  return 0;
}

}  // namespace penstock
