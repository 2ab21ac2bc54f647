// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace penstock {

// Payloads that a receiver can verify byte for byte from stream number and sequence alone. Each is
// a window into one fixed keystream, so that sending costs no time for making data:
//
//   word i of the keystream = mix(i + 1), 64 bit, little endian
//   frame (stream, sequence) begins at word mix(stream × 2³² + sequence) mod 65536
//   mix(n) = the output function of SplitMix64 applied to n × 0x9E3779B97F4A7C15
//
// `stream` is the load client's number of the stream, from 0 (docs/load-client.md).
class Pattern {
 public:
  // For frames of at most `frame_bytes`.
  explicit Pattern(std::size_t frame_bytes);

  // Valid as long as the pattern lives. `bytes` at most what the constructor was told.
  [[nodiscard]] std::span<const std::byte> frame(std::uint32_t stream, std::uint64_t sequence,
                                                 std::size_t bytes) const noexcept;

 private:
  std::vector<std::uint64_t> words_;
};

}  // namespace penstock
