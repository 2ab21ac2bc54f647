// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#include "sink/folder.hpp"

#include "base/error.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <system_error>

namespace penstock {

void require_writable_folder(const std::string& path, std::string_view asked_by) {
  const auto refuse = [&](std::error_code cause) {
    throw Error{cause, fmt::format("{} {}: cannot write there", asked_by, path),
                "give a folder that this user may make or write to"};
  };
  std::error_code error;
  std::filesystem::create_directories(path, error);
  if (error) refuse(error);
  if (!std::filesystem::is_directory(path, error)) {
    refuse(std::make_error_code(std::errc::not_a_directory));
  }
  if (::access(path.c_str(), W_OK | X_OK) != 0) refuse({errno, std::system_category()});
}

}  // namespace penstock
