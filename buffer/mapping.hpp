// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/file_descriptor.hpp"

#include <cstddef>
#include <span>
#include <string_view>

namespace penstock {

inline constexpr std::size_t kPageBytes = 4096;

[[nodiscard]] constexpr std::size_t round_up_to_page(std::size_t bytes) noexcept {
  return (bytes + kPageBytes - 1) / kPageBytes * kPageBytes;
}

// Shared memory that other processes can map too: a memfd, on huge pages when the system has some
// to give, else on ordinary ones. Pre-faulted, so that no page is taken while frames arrive.
class Mapping {
 public:
  // Throws Error when the system has no such memory. `bytes` is rounded up to the page size used.
  explicit Mapping(std::size_t bytes);
  Mapping(Mapping&& other) noexcept;
  Mapping& operator=(Mapping&&) = delete;
  ~Mapping();

  [[nodiscard]] std::span<std::byte> bytes() const noexcept { return bytes_; }
  [[nodiscard]] int fd() const noexcept { return fd_.get(); }
  // What the operator is told: "2 MiB huge pages", or "4 KiB pages" and why.
  [[nodiscard]] std::string_view pages() const noexcept { return pages_; }

  // Forgets the memory without unmapping it, for when a device may still reach it.
  void abandon() noexcept { bytes_ = {}; }

 private:
  FileDescriptor fd_;
  std::span<std::byte> bytes_;
  std::string_view pages_;
};

}  // namespace penstock
