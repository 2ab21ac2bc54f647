// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/cpu/fletcher.hpp"

#include <immintrin.h>

#include <array>

namespace penstock::kernels::cpu {
namespace {

// Words are taken in groups of eight, one lane each. Adding the lane's sum so far to `running`
// after each group weighs every word with the number of groups that follow it: the multiplication
// of the definition becomes an addition.
constexpr std::uint64_t kLanes = 8;

struct LaneSums {
  std::array<std::uint64_t, kLanes> a{};
  std::array<std::uint64_t, kLanes> running{};  // Σ over groups of the a so far
};

void add_on_any(const std::byte* payload, std::uint64_t groups, LaneSums& sums) noexcept {
  for (std::uint64_t i = 0; i < groups; ++i) {
    std::array<std::uint32_t, kLanes> words;
    std::memcpy(words.data(), payload + i * sizeof words, sizeof words);
    for (std::size_t k = 0; k < kLanes; ++k) {
      sums.a[k] += words[k];
      sums.running[k] += sums.a[k];
    }
  }
}

// The same with 256-bit registers, by hand: compilers keep the arrays in memory.
[[gnu::target("avx2")]] void add_on_avx2(const std::byte* payload, std::uint64_t groups,
                                         LaneSums& sums) noexcept {
  __m256i a_low = _mm256_setzero_si256();
  __m256i a_high = _mm256_setzero_si256();
  __m256i running_low = _mm256_setzero_si256();
  __m256i running_high = _mm256_setzero_si256();
  for (std::uint64_t i = 0; i < groups; ++i) {
    const auto* const at = reinterpret_cast<const __m128i*>(payload + i * 32);
    a_low = _mm256_add_epi64(a_low, _mm256_cvtepu32_epi64(_mm_loadu_si128(at)));
    a_high = _mm256_add_epi64(a_high, _mm256_cvtepu32_epi64(_mm_loadu_si128(at + 1)));
    running_low = _mm256_add_epi64(running_low, a_low);
    running_high = _mm256_add_epi64(running_high, a_high);
  }
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(sums.a.data()), a_low);
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(sums.a.data() + 4), a_high);
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(sums.running.data()), running_low);
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(sums.running.data() + 4), running_high);
}

}  // namespace

FletcherSums fletcher(const std::byte* payload, std::uint64_t bytes) noexcept {
  static const bool wide = __builtin_cpu_supports("avx2") != 0;
  const std::uint64_t n = fletcher_words(bytes);
  const std::uint64_t groups = bytes / (4 * kLanes);
  LaneSums lanes;
  (wide ? add_on_avx2 : add_on_any)(payload, groups, lanes);

  // Word i = 8·g + k of a full group has weight n - i = 8·(groups - g) + (n - 8·groups) - k, and
  // `running` has counted it groups - g times.
  FletcherSums sums;
  const std::uint64_t behind = n - kLanes * groups;
  for (std::uint64_t k = 0; k < kLanes; ++k) {
    sums.a += lanes.a[k];
    sums.b += kLanes * lanes.running[k] + (behind - k) * lanes.a[k];
  }
  for (std::uint64_t i = kLanes * groups; i < n; ++i) {
    const std::uint64_t word = fletcher_word(payload, bytes, i);
    sums.a += word;
    sums.b += (n - i) * word;
  }
  return sums;
}

}  // namespace penstock::kernels::cpu
