// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/log.hpp"

#include <system_error>
#include <utility>

namespace penstock {

// Sole owner of a handle from a C library. Traits supply `Handle`, `kName`, `kNone` (the value that
// means "no handle") and
//   static std::error_code destroy(Handle) noexcept;
template <class Traits>
class UniqueHandle {
 public:
  using Handle = typename Traits::Handle;

  UniqueHandle() noexcept = default;
  explicit UniqueHandle(Handle handle) noexcept : handle_{handle} {}
  UniqueHandle(UniqueHandle&& other) noexcept : handle_{other.release()} {}
  UniqueHandle& operator=(UniqueHandle&& other) noexcept {
    reset(other.release());
    return *this;
  }
  ~UniqueHandle() { reset(); }

  [[nodiscard]] Handle get() const noexcept { return handle_; }
  explicit operator bool() const noexcept { return handle_ != Traits::kNone; }

  [[nodiscard]] Handle release() noexcept { return std::exchange(handle_, Traits::kNone); }

  void reset(Handle next = Traits::kNone) noexcept {
    const Handle old = std::exchange(handle_, next);
    if (old == Traits::kNone) return;
    if (const std::error_code error = Traits::destroy(old)) log_leak(Traits::kName, error);
  }

 private:
  Handle handle_ = Traits::kNone;
};

}  // namespace penstock
