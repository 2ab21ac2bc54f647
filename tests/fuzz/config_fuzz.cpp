// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#include "server/config_file.hpp"

#include <cstdint>
#include <cstdlib>
#include <string>

// A configuration file: either it is good, or every violation has its line.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text{reinterpret_cast<const char*>(data), size};
  const auto loaded = penstock::parse_config("fuzz.yaml", text);
  for (const auto& violation : loaded.violations) {
    const std::string line = violation.text();
    if (line.find('\n') != std::string::npos) std::abort();
  }
  return 0;
}
