// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#include "server/serve.hpp"

#include "base/clock.hpp"
#include "base/error.hpp"
#include "server/check.hpp"
#include "server/live_view.hpp"
#include "server/pipeline.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <spdlog/spdlog.h>
#include <unistd.h>

#include <cstdio>

namespace penstock {
namespace {

constexpr int kTickMs = 100;
constexpr std::int64_t kRedrawNs = 500'000'000;

void print(const std::string& text) {
  std::fwrite(text.data(), 1, text.size(), stdout);
  std::fflush(stdout);
}

// Until there is a reason to end.
void run(Pipeline& pipeline, const Options& options) {
  const bool terminal = ::isatty(STDOUT_FILENO) == 1;
  LiveView view{terminal};
  const std::int64_t begin = monotonic_ns();
  std::int64_t next_draw = begin;
  for (;;) {
    if (const auto number = Signals::wait(kTickMs)) {
      spdlog::info("signal received number={} action=drain", *number);
      return;
    }
    const std::int64_t now = monotonic_ns();
    if (options.live && terminal && now >= next_draw) {
      print(view.draw(pipeline.streams(), now));
      next_draw = now + kRedrawNs;
    }
    if (pipeline.finished()) return;
    if (options.duration_s > 0 && static_cast<double>(now - begin) / 1e9 >= options.duration_s) {
      return;
    }
    pipeline.sweep();
  }
}

void write_summary(const Pipeline& pipeline, const Options& options) {
  const ServerFacts facts = pipeline.facts();
  print(summary_text(pipeline.streams(), facts));
  const std::string json = summary_json(pipeline.streams(), facts).dump(2) + "\n";
  if (!options.summary.empty()) write_file(options.summary, json);
  if (!options.report.empty()) write_file(options.report + "/summary.json", json);
}

}  // namespace

int serve(const Options& options, const Signals& signals) {
  const std::optional<Config> config = read_config(options.config);
  if (!config) return kExitUsage;

  Pipeline pipeline{*config, options};
  pipeline.start();
  run(pipeline, options);
  signals.end_at_the_next();
  pipeline.stop();
  write_summary(pipeline, options);

  const auto failures = pipeline.failures();
  for (const std::string& failure : failures) fmt::print(stderr, "penstock: {}\n", failure);
  if (!books_balanced(pipeline.streams())) return kExitUnbalanced;
  return failures.empty() ? kExitOk : kExitFailed;
}

}  // namespace penstock
