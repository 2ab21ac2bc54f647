// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "net/replay/pace.hpp"

#include <optional>
#include <string>

namespace penstock {

// What the command line asks for.
struct Options {
  enum class Command { serve, check, help_config };
  Command command = Command::serve;
  std::string config;

  // serve
  std::string replay;     // a capture that feeds the UDP streams; empty: the network does
  Pace pace;              // of the replay
  double duration_s = 0;  // 0: until a signal or the end of the replay
  std::string dump;       // every frame as files
  std::string report;     // pictures and plots at the end
  std::string summary;    // the closing account as JSON
  bool live = true;       // the table in the terminal
  std::string log_level = "info";
};

// Exit codes; the README lists them.
inline constexpr int kExitOk = 0;
inline constexpr int kExitFailed = 1;      // it could not do its job, or not all of it
inline constexpr int kExitUsage = 2;       // command line or configuration
inline constexpr int kExitUnbalanced = 3;  // the books do not balance: a defect

// The options, or the exit code with which to end: help was printed, or an error was.
struct Parsed {
  std::optional<Options> options;
  int exit_code = kExitOk;
};
[[nodiscard]] Parsed parse_options(int argc, const char* const* argv);

}  // namespace penstock
