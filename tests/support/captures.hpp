// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

// For tests that need a real capture: skips the test, and says so, when it is not there.
#define PENSTOCK_NEEDS_CAPTURE(name)                               \
  if (!std::filesystem::exists(::penstock::test::capture(name)))   \
  GTEST_SKIP() << "no capture " << ::penstock::test::capture(name) \
               << ": set PENSTOCK_CAPTURES to the folder that has it"

namespace penstock::test {

inline std::string capture(const std::string& name) {
  const char* const folder = std::getenv("PENSTOCK_CAPTURES");
  return std::string{folder != nullptr ? folder : PENSTOCK_SOURCE_DIR "/../shared/captures"} + "/" +
         name;
}

inline std::vector<std::byte> contents(const std::string& path) {
  std::ifstream file{path, std::ios::binary};
  const std::vector<char> bytes{std::istreambuf_iterator<char>{file}, {}};
  const auto* const begin = reinterpret_cast<const std::byte*>(bytes.data());
  return {begin, begin + bytes.size()};
}

// The UDP payloads of a little-endian pcap whose every packet ends with a payload of `bytes` bytes;
// packets of other sizes are left out. Shares no code with the reader under test.
inline std::vector<std::vector<std::byte>> payloads(const std::string& path, std::size_t bytes) {
  constexpr std::size_t kHeaders = 14 + 20 + 8;
  const std::vector<std::byte> file = contents(path);
  std::vector<std::vector<std::byte>> found;
  for (std::size_t at = 24; at + 16 <= file.size();) {
    std::size_t length = 0;
    for (std::size_t i = 0; i < 4; ++i) {
      length |= std::to_integer<std::size_t>(file[at + 8 + i]) << (8 * i);
    }
    at += 16 + length;
    if (length != kHeaders + bytes || at > file.size()) continue;
    const auto end = file.begin() + static_cast<std::ptrdiff_t>(at);
    found.emplace_back(end - static_cast<std::ptrdiff_t>(bytes), end);
  }
  return found;
}

}  // namespace penstock::test
