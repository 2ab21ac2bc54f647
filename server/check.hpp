// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "server/config.hpp"
#include "server/options.hpp"

#include <optional>

namespace penstock {

// Reads and judges the file. Prints every violation to stderr, one a line; nothing when there are
// any.
[[nodiscard]] std::optional<Config> read_config(const std::string& path);

// `penstock check`: the exit code.
[[nodiscard]] int check(const Options& options);

// `penstock --help-config`: prints every key with its type, default and meaning.
[[nodiscard]] int help_config();

}  // namespace penstock
