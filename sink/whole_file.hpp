// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tl/expected.hpp>

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <system_error>

namespace penstock {

// Why a file is not there: what was tried, and what the OS said.
struct FileFailure {
  std::error_code cause;
  std::string text;  // "cannot write PATH: No space left on device"
};

// Writes all of `bytes` or says why not: the OS may write less than it was asked to.
[[nodiscard]] std::error_code write_all(int fd, std::span<const std::byte> bytes) noexcept;

// Writes a file under a temporary name and renames it, so that a file of this name is whole or not
// there at all, and a program that watches the folder never reads half of one.
//
// A device, a pipe or a link (/dev/stdout) is written to as it is.
//
// It is not flushed to the disk: a power cut may still lose it. Flushing costs a disk seek a frame,
// and a recorder that makes senders wait for that records less.
[[nodiscard]] tl::expected<void, FileFailure> write_whole_file(const std::string& path,
                                                               std::span<const std::byte> bytes);
[[nodiscard]] tl::expected<void, FileFailure> write_whole_file(const std::string& path,
                                                               std::string_view text);

}  // namespace penstock
