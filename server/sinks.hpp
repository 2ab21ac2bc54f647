// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "buffer/delivered_frame.hpp"
#include "server/options.hpp"
#include "server/stream_plan.hpp"
#include "sink/latency_plot.hpp"
#include "sink/recorder.hpp"
#include "sink/snapshot.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace penstock {

// The sinks that the command line asks for.
//
// Thread: take() on the lane; began() and ended() on the reactor; the rest on main.
class Sinks {
 public:
  // Throws Error when a folder cannot be written.
  explicit Sinks(const Options& options);

  void began(StreamId id, const std::string& name, const StreamPlan& plan, bool flow_controlled);
  void ended(StreamId id) noexcept;
  void take(const DeliveredFrame& delivered) noexcept;

  // Writes what is still held and lets every lease go. The lane has stopped.
  void finish() noexcept;

  // For the report, if there is one: DIR/latency.svg.
  void plot_latencies(std::span<const LatencySeries> series);

  [[nodiscard]] std::uint64_t frames_recorded() const noexcept;
  [[nodiscard]] std::uint64_t frames_not_recorded() const noexcept;
  [[nodiscard]] std::vector<std::string> failures() const;

 private:
  const std::string report_;  // empty: none was asked for
  std::optional<Recorder> recorder_;
  std::optional<Snapshot> snapshot_;
  std::string plot_failure_;
};

}  // namespace penstock
