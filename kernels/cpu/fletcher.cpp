// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/cpu/fletcher.hpp"

namespace penstock::kernels::cpu {
namespace {

// Words are taken in groups of eight, one lane each. With `a` a lane's running sum, adding `a` to
// `running` after each group weighs every word with the number of groups that follow it: the
// multiplication of the definition becomes an addition. A vector of the compiler's own, so that any
// x86-64 (or other) processor gets the best that the build allows.
constexpr std::uint64_t kLanes = 8;
typedef std::uint64_t Lanes __attribute__((vector_size(kLanes * sizeof(std::uint64_t))));
typedef std::uint32_t Words __attribute__((vector_size(kLanes * sizeof(std::uint32_t))));

struct LaneSums {
  Lanes a{};
  Lanes running{};  // Σ over groups of the a so far
};

[[gnu::always_inline]] inline void add(const std::byte* payload, std::uint64_t groups,
                                       LaneSums& sums) noexcept {
  Lanes a = sums.a;
  Lanes running = sums.running;
  for (std::uint64_t i = 0; i < groups; ++i) {
    Words words;
    __builtin_memcpy(&words, payload + i * sizeof words, sizeof words);
    a += __builtin_convertvector(words, Lanes);
    running += a;
  }
  sums.a = a;
  sums.running = running;
}

void add_on_any(const std::byte* payload, std::uint64_t groups, LaneSums& sums) noexcept {
  add(payload, groups, sums);
}

// The same with wider registers: twice as fast where the processor has them.
[[gnu::target("avx2")]] void add_on_avx2(const std::byte* payload, std::uint64_t groups,
                                         LaneSums& sums) noexcept {
  add(payload, groups, sums);
}

}  // namespace

FletcherSums fletcher(const std::byte* payload, std::uint64_t bytes) noexcept {
  const std::uint64_t n = fletcher_words(bytes);
  const std::uint64_t groups = bytes / (4 * kLanes);
  LaneSums lanes;
  static const bool wide = __builtin_cpu_supports("avx2") != 0;
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
