// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/counter.hpp"

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace penstock {

// Durations in nanoseconds, sorted into buckets whose width is 1/16 of their value, from 1 ns to
// about 18 minutes: a quantile is at most 6.3 % too high and never too low.
//
// By hand because it must be read while another thread records, without a lock and without an
// allocation, and the packaged histogram libraries are not on every system we support.
//
// Thread: one recorder, any number of readers.
class Histogram {
 public:
  void record(std::int64_t nanoseconds) noexcept {
    const auto value = nanoseconds < 0 ? 0u : static_cast<std::uint64_t>(nanoseconds);
    buckets_[index(value)].add();
    count_.add();
    if (value > max_.get()) max_.add(value - max_.get());
  }

  [[nodiscard]] std::uint64_t count() const noexcept { return count_.get(); }
  [[nodiscard]] std::uint64_t max() const noexcept { return max_.get(); }

  // The value that a share of `fraction` (0..1) of all records does not exceed; 0 when empty.
  [[nodiscard]] std::uint64_t quantile(double fraction) const noexcept;

  // For plots: the number of buckets, the largest value that falls into one, and its count.
  static constexpr std::size_t kSubBits = 4;
  static constexpr std::size_t kBuckets = (41 - kSubBits) << kSubBits;
  [[nodiscard]] static constexpr std::uint64_t upper_bound(std::size_t bucket) noexcept {
    if (bucket < (2u << kSubBits)) return bucket;
    const std::size_t shift = (bucket >> kSubBits) - 1;
    const std::uint64_t base = (1u << kSubBits) + (bucket & ((1u << kSubBits) - 1));
    return ((base + 1) << shift) - 1;
  }
  [[nodiscard]] std::uint64_t bucket_count(std::size_t bucket) const noexcept {
    return buckets_[bucket].get();
  }

 private:
  [[nodiscard]] static constexpr std::size_t index(std::uint64_t value) noexcept {
    if (value < (2u << kSubBits)) return static_cast<std::size_t>(value);
    const auto width = static_cast<std::size_t>(std::bit_width(value));
    const std::size_t shift = width - kSubBits - 1;
    const std::size_t bucket =
        ((shift + 1) << kSubBits) + ((value >> shift) & ((1u << kSubBits) - 1));
    return bucket < kBuckets ? bucket : kBuckets - 1;
  }

  std::array<Counter, kBuckets> buckets_{};
  Counter count_;
  Counter max_;
};

}  // namespace penstock
