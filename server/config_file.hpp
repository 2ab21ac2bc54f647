// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/yaml_reader.hpp"
#include "server/config.hpp"

#include <string>
#include <vector>

namespace penstock {

// What a file says, and every rule that it breaks, in the order of the file. With violations the
// configuration is not to be used.
struct LoadedConfig {
  Config config;
  std::vector<Violation> violations;
};

// Never throws for anything that a file may hold, or for its absence.
[[nodiscard]] LoadedConfig load_config(const std::string& path);

// The same for `text`, which `name` stands for in messages.
[[nodiscard]] LoadedConfig parse_config(const std::string& name, const std::string& text);

}  // namespace penstock
