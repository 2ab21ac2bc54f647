// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <type_traits>

namespace penstock::wire {

// Little endian, as everything on the wire. The machines we run on are little endian too, so these
// are plain moves; the assertion keeps it true.
static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__);

// `at + sizeof(T)` must lie within `bytes`.
template <class T>
[[nodiscard]] T get(std::span<const std::byte> bytes, std::size_t at) noexcept {
  static_assert(std::is_integral_v<T>);
  T value{};
  std::memcpy(&value, bytes.data() + at, sizeof value);
  return value;
}

template <class T>
void put(std::span<std::byte> bytes, std::size_t at, T value) noexcept {
  static_assert(std::is_integral_v<T>);
  std::memcpy(bytes.data() + at, &value, sizeof value);
}

}  // namespace penstock::wire
