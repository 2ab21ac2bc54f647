// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#include "sink/whole_file.hpp"

#include "base/file_descriptor.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>

namespace penstock {
namespace {

std::error_code last_error() noexcept { return {errno, std::system_category()}; }

// A device, a pipe, a link (/dev/stdout is one): nothing to put a file in the place of.
bool is_special(const std::string& path) noexcept {
  struct stat facts {};
  return ::lstat(path.c_str(), &facts) == 0 && !S_ISREG(facts.st_mode);
}

std::error_code write_to(const std::string& path, std::span<const std::byte> bytes) {
  FileDescriptor file{::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644)};
  if (!file) return last_error();
  if (const std::error_code error = write_all(file.get(), bytes)) return error;
  // Some file systems report a full disk or an exceeded quota only here.
  if (::close(file.release()) != 0) return last_error();
  return {};
}

}  // namespace

std::error_code write_all(int fd, std::span<const std::byte> bytes) noexcept {
  while (!bytes.empty()) {
    const ssize_t written = ::write(fd, bytes.data(), bytes.size());
    if (written < 0) {
      if (errno == EINTR) continue;
      return last_error();
    }
    if (written == 0) return {EIO, std::system_category()};
    bytes = bytes.subspan(static_cast<std::size_t>(written));
  }
  return {};
}

tl::expected<void, FileFailure> write_whole_file(const std::string& path,
                                                 std::span<const std::byte> bytes) {
  const bool special = is_special(path);
  const std::string temporary = special ? path : path + ".part";
  std::error_code error = write_to(temporary, bytes);
  if (!error && !special && std::rename(temporary.c_str(), path.c_str()) != 0) error = last_error();
  if (!error) return {};

  if (!special) ::unlink(temporary.c_str());
  return tl::unexpected{
      FileFailure{error, fmt::format("cannot write {}: {}", path, error.message())}};
}

tl::expected<void, FileFailure> write_whole_file(const std::string& path, std::string_view text) {
  return write_whole_file(path, std::as_bytes(std::span{text}));
}

}  // namespace penstock
