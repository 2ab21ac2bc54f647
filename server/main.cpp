// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#include "base/log.hpp"
#include "server/check.hpp"
#include "server/options.hpp"
#include "server/serve.hpp"
#include "server/signals.hpp"

#include <spdlog/spdlog.h>

#include <cstdio>
#include <exception>

int main(int argc, char** argv) try {
  using namespace penstock;  // NOLINT(google-build-using-namespace): this is the program
  const auto [options, exit_code] = parse_options(argc, argv);
  if (!options) return exit_code;
  set_up_logging(options->log_level);
  switch (options->command) {
    case Options::Command::serve: {
      const Signals signals;
      return serve(*options, signals);
    }
    case Options::Command::check:
      return check(*options);
    case Options::Command::help_config:
      return help_config();
  }
  return kExitUsage;
} catch (const std::exception& error) {
  std::fprintf(stderr, "penstock: %s\n", error.what());
  return 1;
}
