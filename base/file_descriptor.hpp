// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/unique_handle.hpp"

#include <unistd.h>

#include <cerrno>
#include <string_view>

namespace penstock {

struct FileDescriptorTraits {
  using Handle = int;
  static constexpr Handle kNone = -1;
  static constexpr std::string_view kName = "file descriptor";
  static std::error_code destroy(Handle fd) noexcept {
    return ::close(fd) == 0 ? std::error_code{} : std::error_code{errno, std::system_category()};
  }
};

using FileDescriptor = UniqueHandle<FileDescriptorTraits>;

}  // namespace penstock
