// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#include "server/options.hpp"

#include <CLI/CLI.hpp>

#include <iostream>

namespace penstock {
namespace {

std::string check_pace(const std::string& text) {
  return parse_pace(text) ? "" : "is not a pace: use recorded, max, or a factor such as 2x or 0.5x";
}

void add_serve(CLI::App& app, Options& options, std::string& pace) {
  CLI::App& serve = *app.add_subcommand("serve", "Receive, decode and deliver until told to stop");
  serve.add_option("-c,--config", options.config, "The rig: a YAML file (docs/configuration.md)")
      ->required();
  CLI::Option& replay =
      *serve.add_option("--replay", options.replay,
                        "Feed the UDP streams from a pcap or pcapng file; the network is not used");
  serve
      .add_option("--pace", pace, "Of the replay: recorded, max, or a factor such as 2x [recorded]")
      ->needs(&replay)
      ->check(check_pace);
  serve.add_option("--duration", options.duration_s, "End after this many seconds [0: never]")
      ->check(CLI::NonNegativeNumber);
  serve.add_option("--dump", options.dump,
                   "Write every frame: DIR/STREAM/SEQUENCE.pcd, .png and .raw");
  serve.add_option("--report", options.report,
                   "At the end write pictures, a latency plot and summary.json into this folder");
  serve.add_option("--summary", options.summary, "At the end write the books to this JSON file");
  serve.add_flag("!--no-live", options.live, "Do not draw the live table");
  serve
      .add_option("--log-level", options.log_level,
                  "trace, debug, info, warning, error, critical or off [info]")
      ->check(CLI::IsMember({"trace", "debug", "info", "warning", "error", "critical", "off"}));
  serve.callback([&options] { options.command = Options::Command::serve; });
}

void add_check(CLI::App& app, Options& options) {
  CLI::App& check = *app.add_subcommand("check", "Judge a configuration and say all that is wrong");
  check.add_option("-c,--config", options.config, "The rig: a YAML file")->required();
  check.callback([&options] { options.command = Options::Command::check; });
}

}  // namespace

Parsed parse_options(int argc, const char* const* argv) {
  Options options;
  std::string pace = "recorded";
  CLI::App app{
      "Penstock receives sensor streams straight into memory that the GPU reads, decodes them "
      "there "
      "and accounts for every packet.",
      "penstock"};
  app.set_version_flag("--version", PENSTOCK_VERSION);
  app.require_subcommand(0, 1);
  bool help_config = false;
  app.add_flag("--help-config", help_config, "Print every key of the configuration file");
  add_serve(app, options, pace);
  add_check(app, options);
  app.footer(
      "Exit codes: 0 done, 1 could not do its job, 2 command line or configuration, 3 books do not "
      "balance.\nThe first SIGINT or SIGTERM drains and exits 0, the second ends at once.");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    const int code = app.exit(error, std::cout, std::cerr);
    return {std::nullopt, code == 0 ? kExitOk : kExitUsage};
  }
  if (help_config) {
    options.command = Options::Command::help_config;
  } else if (app.get_subcommands().empty()) {
    std::cerr << "penstock: say what to do: serve or check\n\n" << app.help();
    return {std::nullopt, kExitUsage};
  }
  options.pace = *parse_pace(pace);
  return {options, kExitOk};
}

}  // namespace penstock
