// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace penstock {

// One key of the configuration file, as it is told to people. The parser, this table and
// docs/configuration.md are held together by a test.
struct ConfigOption {
  std::string_view key;     // "streams[].udp.port"
  std::string_view type;    // text, number, size, true/false, choice, mapping, list
  std::string_view preset;  // what holds when the key is absent
  std::string_view allowed;
  std::string_view text;
};

[[nodiscard]] std::span<const ConfigOption> config_options() noexcept;

// What `penstock --help-config` prints.
[[nodiscard]] std::string config_help();

}  // namespace penstock
