// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#include "server/check.hpp"

#include "base/human_bytes.hpp"
#include "buffer/host_limits.hpp"
#include "server/config_file.hpp"
#include "server/config_options.hpp"
#include "server/memory_plan.hpp"

#include <fmt/format.h>

#include <cstdio>

namespace penstock {

std::optional<Config> read_config(const std::string& path) {
  const LoadedConfig loaded = load_config(path);
  for (const Violation& violation : loaded.violations) {
    fmt::print(stderr, "{}\n", violation.text());
  }
  if (!loaded.violations.empty()) return std::nullopt;
  return loaded.config;
}

int check(const Options& options) {
  const std::optional<Config> config = read_config(options.config);
  if (!config) return kExitUsage;
  const MemoryPlan memory = plan_memory(*config, read_host_limits());
  fmt::print("{}: good. {} streams declared; {} of {} pinned memory ({})\n", options.config,
             config->streams.size(), human_bytes(memory.total()), human_bytes(memory.limit.bytes),
             memory.limit.source);
  return kExitOk;
}

int help_config() {
  fmt::print("{}", config_help());
  return kExitOk;
}

}  // namespace penstock
