// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#include "base/log.hpp"
#include "client/load_options.hpp"
#include "client/load_report.hpp"
#include "client/run_load.hpp"

#include <signal.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <exception>

namespace {

std::atomic<bool> g_stopped{false};  // NOLINT(cppcoreguidelines-avoid-non-const-global-variables)

// The first signal lets every stream close in order; the second ends the process at once.
void on_signal(int number) {
  if (g_stopped.exchange(true)) ::_exit(128 + number);
}

penstock::LoadReport run(const penstock::LoadOptions& options) {
  const auto stopped = [] { return g_stopped.load(); };
  return penstock::run_load(options, stopped);
}

}  // namespace

int main(int argc, char** argv) try {
  const auto [options, exit_code] = penstock::parse_load_options(argc, argv);
  if (!options) return exit_code;
  penstock::set_up_logging("info");
  for (const int number : {SIGINT, SIGTERM}) (void)::signal(number, on_signal);
  (void)::signal(SIGPIPE, SIG_IGN);
  const penstock::LoadReport report = run(*options);
  penstock::give_report(report, options->report);
  return report.good() ? 0 : 1;
} catch (const std::exception& error) {
  std::fprintf(stderr, "penstock-load: %s\n", error.what());
  return 1;
}
