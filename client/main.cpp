// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#include "base/log.hpp"
#include "client/load_options.hpp"
#include "client/load_report.hpp"
#include "client/rig.hpp"
#include "client/run_load.hpp"
#include "client/run_rig.hpp"
#include "client/send_capture.hpp"

#include <signal.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <exception>
#include <functional>
#include <optional>

namespace {

std::atomic<bool> g_stopped{false};  // NOLINT(cppcoreguidelines-avoid-non-const-global-variables)

// The first signal lets every stream close in order; the second ends the process at once.
void on_signal(int number) {
  if (g_stopped.exchange(true)) ::_exit(128 + number);
}

// The report, or nothing when the rig file breaks rules, which were then printed.
std::optional<penstock::LoadReport> run(const penstock::LoadOptions& options) {
  const std::function<bool()> stopped = [] { return g_stopped.load(); };
  if (!options.replay.empty()) return penstock::send_capture(options, stopped);
  if (options.rig.empty()) return penstock::run_load(options, stopped);
  const penstock::LoadedRig rig = penstock::load_rig(options.rig);
  for (const penstock::Violation& violation : rig.violations) {
    std::fprintf(stderr, "%s\n", violation.text().c_str());
  }
  if (!rig.violations.empty()) return std::nullopt;
  return penstock::run_rig(rig.sensors, options, stopped);
}

}  // namespace

int main(int argc, char** argv) try {
  const auto [options, exit_code] = penstock::parse_load_options(argc, argv);
  if (!options) return exit_code;
  penstock::set_up_logging("info");
  for (const int number : {SIGINT, SIGTERM}) (void)::signal(number, on_signal);
  (void)::signal(SIGPIPE, SIG_IGN);
  const auto report = run(*options);
  if (!report) return 2;
  penstock::give_report(*report, options->report);
  return report->good() ? 0 : 1;
} catch (const std::exception& error) {
  std::fprintf(stderr, "penstock-load: %s\n", error.what());
  return 1;
}
