// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#include "buffer/mapping.hpp"

#include "base/error.hpp"

#include <linux/memfd.h>
#include <sys/mman.h>

#include <cerrno>
#include <cstdint>
#include <string>
#include <utility>

namespace penstock {
namespace {

constexpr std::size_t kHugePageBytes = 2u << 20;

// Address space that begins on a huge page, so that the OS may back it with huge pages.
std::byte* reserve_aligned(std::size_t bytes) noexcept {
  const std::size_t more = bytes + kHugePageBytes;
  void* const base = ::mmap(nullptr, more, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (base == MAP_FAILED) return nullptr;
  auto* const begin = static_cast<std::byte*>(base);
  const std::size_t skip =
      (kHugePageBytes - reinterpret_cast<std::uintptr_t>(begin) % kHugePageBytes) % kHugePageBytes;
  if (skip != 0) ::munmap(begin, skip);
  ::munmap(begin + skip + bytes, more - skip - bytes);
  return begin + skip;
}

// Null when the mapping cannot be had this way.
std::byte* try_map(int fd, std::size_t bytes) noexcept {
  if (::ftruncate(fd, static_cast<off_t>(bytes)) != 0) return nullptr;
  std::byte* const place = reserve_aligned(bytes);
  if (place == nullptr) return nullptr;
  void* const base = ::mmap(place, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, fd, 0);
  if (base == MAP_FAILED) {
    ::munmap(place, bytes);
    return nullptr;
  }
  // Taken where the system lets shared memory have them; a hint, so its failure changes nothing.
  (void)::madvise(base, bytes, MADV_HUGEPAGE);
  if (::madvise(base, bytes, MADV_POPULATE_WRITE) != 0) {
    const int why = errno;
    ::munmap(base, bytes);
    errno = why;
    return nullptr;
  }
  return static_cast<std::byte*>(base);
}

FileDescriptor make_memfd(unsigned flags) noexcept {
  return FileDescriptor{::memfd_create("penstock-slab", MFD_CLOEXEC | flags)};
}

}  // namespace

Mapping::Mapping(std::size_t bytes) {
  // Asked for and seen to fail rather than read from /proc: the pool of huge pages is shared, and
  // hugetlbfs reserves at mmap, so success here means that no later touch can fault.
  const std::size_t huge_bytes = (bytes + kHugePageBytes - 1) / kHugePageBytes * kHugePageBytes;
  fd_ = make_memfd(MFD_HUGETLB | MFD_HUGE_2MB);
  if (fd_) {
    if (std::byte* const base = try_map(fd_.get(), huge_bytes)) {
      bytes_ = {base, huge_bytes};
      pages_ = "2 MiB huge pages";
      return;
    }
  }

  bytes = round_up_to_page(bytes);
  fd_ = make_memfd(0);
  if (!fd_) throw Error{{errno, std::system_category()}, "memfd_create"};
  std::byte* const base = try_map(fd_.get(), bytes);
  if (base == nullptr) {
    throw Error{{errno, std::system_category()},
                "cannot map " + std::to_string(bytes) + " bytes for the slab",
                "lower memory.pinned_limit, or give the machine or the container more memory"};
  }
  bytes_ = {base, bytes};
  pages_ =
      "4 KiB pages, or transparent huge ones where the system grants them (no 2 MiB huge pages are "
      "free: set vm.nr_hugepages to get them)";
}

Mapping::Mapping(Mapping&& other) noexcept
    : fd_{std::move(other.fd_)}, bytes_{std::exchange(other.bytes_, {})}, pages_{other.pages_} {}

Mapping::~Mapping() {
  if (!bytes_.empty()) ::munmap(bytes_.data(), bytes_.size());
}

}  // namespace penstock
