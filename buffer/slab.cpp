// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#include "buffer/slab.hpp"

#include "base/error.hpp"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <cstdint>
#include <exception>
#include <iterator>
#include <utility>

namespace penstock {

SlabPart::SlabPart(SlabPart&& other) noexcept
    : slab_{std::exchange(other.slab_, nullptr)}, host_{other.host_}, device_{other.device_} {}

SlabPart& SlabPart::operator=(SlabPart&& other) noexcept {
  SlabPart ended{std::move(*this)};
  slab_ = std::exchange(other.slab_, nullptr);
  host_ = other.host_;
  device_ = other.device_;
  return *this;
}

SlabPart::~SlabPart() {
  if (slab_ != nullptr) slab_->give_back(host_);
}

Slab::Slab(PinnedMemory memory) : memory_{std::move(memory)} {
  const std::span<std::byte> bytes = memory_.host();
  if (reinterpret_cast<std::uintptr_t>(bytes.data()) % kPageBytes != 0) {
    throw Error{Errc::unsupported, "slab: memory is not page-aligned"};
  }
  free_.emplace(0, bytes.size());
}

Slab::~Slab() {
  if (free_bytes() != memory_.host().size()) {
    spdlog::critical("slab destroyed in use bytes_out={}", memory_.host().size() - free_bytes());
    std::terminate();
  }
}

std::optional<SlabPart> Slab::take(std::size_t bytes) {
  if (bytes == 0 || bytes > memory_.host().size()) return std::nullopt;
  bytes = round_up_to_page(bytes);
  const std::lock_guard lock{mutex_};
  const auto extent =
      std::find_if(free_.begin(), free_.end(), [&](const auto& e) { return e.second >= bytes; });
  if (extent == free_.end()) return std::nullopt;

  const auto [offset, length] = *extent;
  free_.erase(extent);
  if (length > bytes) free_.emplace(offset + bytes, length - bytes);
  std::byte* const device = memory_.device();
  return SlabPart{*this, memory_.host().subspan(offset, bytes),
                  device == nullptr ? nullptr : device + offset};
}

std::size_t Slab::free_bytes() const {
  const std::lock_guard lock{mutex_};
  std::size_t sum = 0;
  for (const auto& [offset, length] : free_) sum += length;
  return sum;
}

std::size_t Slab::longest_free() const {
  const std::lock_guard lock{mutex_};
  std::size_t longest = 0;
  for (const auto& [offset, length] : free_) longest = std::max(longest, length);
  return longest;
}

void Slab::give_back(std::span<std::byte> part) noexcept {
  const std::lock_guard lock{mutex_};
  const auto offset = static_cast<std::size_t>(part.data() - memory_.host().data());
  auto extent = free_.emplace(offset, part.size()).first;

  if (const auto next = std::next(extent);
      next != free_.end() && extent->first + extent->second == next->first) {
    extent->second += next->second;
    free_.erase(next);
  }
  if (extent != free_.begin()) {
    const auto previous = std::prev(extent);
    if (previous->first + previous->second == extent->first) {
      previous->second += extent->second;
      free_.erase(extent);
    }
  }
}

}  // namespace penstock
