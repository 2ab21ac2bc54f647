// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#include "net/wire/crc32c.hpp"

#include <nmmintrin.h>

#include <array>
#include <cstring>

namespace penstock::wire {
namespace {

constexpr std::uint32_t kPolynomial = 0x82F63B78u;

constexpr std::array<std::uint32_t, 256> make_table() {
  std::array<std::uint32_t, 256> table{};
  for (std::uint32_t byte = 0; byte < 256; ++byte) {
    std::uint32_t state = byte;
    for (int bit = 0; bit < 8; ++bit) state = (state >> 1) ^ ((state & 1) != 0 ? kPolynomial : 0);
    table[byte] = state;
  }
  return table;
}
constexpr auto kTable = make_table();

// Bytes of each of the three interleaved runs. Long enough to make the joining cheap, short enough
// that all three stay in the first-level cache.
constexpr std::size_t kRun = 1024;

// What the register becomes when kRun zero bytes follow it: a linear map over its 32 bits, kept as
// four tables of 256, one a byte.
using Shift = std::array<std::array<std::uint32_t, 256>, 4>;

constexpr std::uint32_t zeros(std::uint32_t state, std::size_t bytes) {
  for (std::size_t i = 0; i < bytes; ++i) state = kTable[state & 0xff] ^ (state >> 8);
  return state;
}

Shift make_shift() {
  std::array<std::uint32_t, 32> bits{};
  for (std::size_t bit = 0; bit < 32; ++bit) bits[bit] = zeros(1u << bit, kRun);
  Shift shift{};
  for (std::size_t byte = 0; byte < 4; ++byte) {
    for (std::uint32_t value = 0; value < 256; ++value) {
      for (std::size_t bit = 0; bit < 8; ++bit) {
        if ((value >> bit & 1) != 0) shift[byte][value] ^= bits[8 * byte + bit];
      }
    }
  }
  return shift;
}

std::uint32_t shifted(const Shift& shift, std::uint32_t state) noexcept {
  return shift[0][state & 0xff] ^ shift[1][state >> 8 & 0xff] ^ shift[2][state >> 16 & 0xff] ^
         shift[3][state >> 24];
}

std::uint64_t load(const std::byte* at) noexcept {
  std::uint64_t word = 0;
  std::memcpy(&word, at, sizeof word);
  return word;
}

}  // namespace

namespace detail {

std::uint32_t crc32c_table(std::uint32_t state, std::span<const std::byte> bytes) noexcept {
  for (const std::byte byte : bytes) {
    state = kTable[(state ^ static_cast<std::uint32_t>(byte)) & 0xff] ^ (state >> 8);
  }
  return state;
}

__attribute__((target("sse4.2"))) std::uint32_t crc32c_sse42(
    std::uint32_t state, std::span<const std::byte> bytes) noexcept {
  static const Shift shift = make_shift();
  const std::byte* at = bytes.data();
  std::size_t left = bytes.size();

  for (; left >= 3 * kRun; at += 3 * kRun, left -= 3 * kRun) {
    std::uint64_t a = state;
    std::uint64_t b = 0;
    std::uint64_t c = 0;
    for (std::size_t i = 0; i < kRun; i += 8) {
      a = _mm_crc32_u64(a, load(at + i));
      b = _mm_crc32_u64(b, load(at + kRun + i));
      c = _mm_crc32_u64(c, load(at + 2 * kRun + i));
    }
    const std::uint32_t ab =
        shifted(shift, static_cast<std::uint32_t>(a)) ^ static_cast<std::uint32_t>(b);
    state = shifted(shift, ab) ^ static_cast<std::uint32_t>(c);
  }
  std::uint64_t wide = state;
  for (; left >= 8; at += 8, left -= 8) wide = _mm_crc32_u64(wide, load(at));
  state = static_cast<std::uint32_t>(wide);
  for (; left > 0; ++at, --left) state = _mm_crc32_u8(state, static_cast<unsigned char>(*at));
  return state;
}

bool has_sse42() noexcept { return __builtin_cpu_supports("sse4.2") != 0; }

}  // namespace detail

std::uint32_t crc32c(std::span<const std::byte> bytes) noexcept {
  static const bool fast = detail::has_sse42();
  return ~(fast ? detail::crc32c_sse42(~0u, bytes) : detail::crc32c_table(~0u, bytes));
}

}  // namespace penstock::wire
