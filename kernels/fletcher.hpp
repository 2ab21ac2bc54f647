// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/host_device.hpp"

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace penstock::kernels {

// Two sums over a payload, as n little-endian 32-bit words w[0] … w[n-1], the last one filled up
// with zeros:
//
//   a = Σ w[i]    b = Σ (n - i) · w[i]    both modulo 2⁶⁴
//
// After J. G. Fletcher, "An Arithmetic Checksum for Serial Transmissions", 1982: b depends on the
// order of the words. Sums of parts add up in any order, so many threads may share one payload.
struct FletcherSums {
  std::uint64_t a = 0;
  std::uint64_t b = 0;
};

PENSTOCK_HOST_DEVICE inline std::uint64_t fletcher_words(std::uint64_t bytes) noexcept {
  return (bytes + 3) / 4;
}

// Word `i` of a payload of `bytes` bytes.
PENSTOCK_HOST_DEVICE inline std::uint32_t fletcher_word(const std::byte* payload,
                                                        std::uint64_t bytes,
                                                        std::uint64_t i) noexcept {
  std::uint32_t word = 0;
  const std::uint64_t left = bytes - 4 * i;
  memcpy(&word, payload + 4 * i, left < 4 ? static_cast<std::size_t>(left) : 4);
  return word;
}

}  // namespace penstock::kernels
