// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#include "client/pattern.hpp"

namespace penstock {
namespace {

constexpr std::uint64_t kWindowWords = 65536;

// Steele, Lea, Flood: "Fast splittable pseudorandom number generators", 2014.
constexpr std::uint64_t mix(std::uint64_t n) noexcept {
  std::uint64_t z = n * 0x9E3779B97F4A7C15u;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return z ^ (z >> 31);
}

}  // namespace

Pattern::Pattern(std::size_t frame_bytes) : words_(kWindowWords + (frame_bytes + 7) / 8) {
  for (std::size_t i = 0; i < words_.size(); ++i) words_[i] = mix(i + 1);
}

std::span<const std::byte> Pattern::frame(std::uint32_t stream, std::uint64_t sequence,
                                          std::size_t bytes) const noexcept {
  const std::uint64_t begin = mix((std::uint64_t{stream} << 32) + sequence) % kWindowWords;
  return std::as_bytes(std::span{words_}).subspan(begin * 8, bytes);
}

}  // namespace penstock
