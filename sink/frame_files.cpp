// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#include "sink/frame_files.hpp"

#include "sink/pcd.hpp"
#include "sink/png.hpp"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <utility>

namespace penstock {
namespace {

using Written = tl::expected<void, FileFailure>;

bool is_empty_folder(const std::string& path) noexcept {
  std::error_code error;
  return std::filesystem::is_directory(path, error) && std::filesystem::is_empty(path, error) &&
         !error;
}

// FOLDER/SEQUENCE, or FOLDER/SEQUENCE-2 and so on when that has come before.
std::string free_stem(const StreamFolder& stream, std::uint64_t sequence) {
  std::string stem = fmt::format("{}/{:06}", stream.path, sequence);
  if (sequence >= stream.next_sequence) return stem;
  for (unsigned i = 2; ::access((stem + ".raw").c_str(), F_OK) == 0; ++i) {
    stem = fmt::format("{}/{:06}-{}", stream.path, sequence, i);
  }
  return stem;
}

}  // namespace

tl::expected<std::string, FileFailure> FrameFiles::make_folder(const std::string& name) {
  for (unsigned number = openings_[name] + 1;; ++number) {
    std::string path = folder_ + "/" + name;
    if (number > 1) path += fmt::format(".{}", number);
    const bool made = ::mkdir(path.c_str(), 0755) == 0;
    if (!made && errno != EEXIST) {
      const std::error_code error{errno, std::system_category()};
      return tl::unexpected{
          FileFailure{error, fmt::format("cannot make {}: {}", path, error.message())}};
    }
    // A stream may be called like the second opening of another one.
    if (!made && (made_.count(path) != 0 || !is_empty_folder(path))) continue;
    openings_[name] = number;
    made_.insert(path);
    return path;
  }
}

Written FrameFiles::write(const std::string& name, StreamFolder& stream,
                          const DeliveredFrame& delivered) {
  if (stream.path.empty()) {
    auto path = make_folder(name);
    if (!path) return tl::unexpected{std::move(path.error())};
    stream.path = std::move(*path);
  }
  const std::uint64_t sequence = delivered.frame.info().sequence;
  const std::string stem = free_stem(stream, sequence);
  stream.next_sequence = std::max(stream.next_sequence, sequence + 1);

  if (Written raw = write_whole_file(stem + ".raw", delivered.frame.bytes()); !raw) return raw;
  return delivered.result ? write_result(stem, delivered.result) : Written{};
}

Written FrameFiles::write_result(const std::string& stem, const FrameRef& result) {
  const ContentLayout& layout = result.info().layout;
  switch (layout.kind) {
    case ContentLayout::Kind::points:
      encode_pcd(*layout.records, layout.count, result.bytes(), file_);
      return write_whole_file(stem + ".pcd", file_);
    case ContentLayout::Kind::image: {
      std::string problem = "the result is shorter than its size says";
      if (image_.assign_planes(layout.width, layout.height, result.bytes())) {
        auto encoded = encode_png(image_, file_);
        if (encoded) return write_whole_file(stem + ".png", file_);
        problem = std::move(encoded.error());
      }
      return tl::unexpected{FileFailure{std::make_error_code(std::errc::invalid_argument),
                                        fmt::format("cannot encode {}.png: {}", stem, problem)}};
    }
    case ContentLayout::Kind::bytes:
      break;
  }
  return {};
}

}  // namespace penstock
