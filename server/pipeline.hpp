// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "buffer/slab.hpp"
#include "gpu/device.hpp"
#include "gpu/lane.hpp"
#include "net/reactor.hpp"
#include "net/transport.hpp"
#include "server/config.hpp"
#include "server/memory_plan.hpp"
#include "server/options.hpp"
#include "server/sinks.hpp"
#include "server/stream_table.hpp"
#include "server/summary.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace penstock {

// The only place that knows the order of the stages: transports → streams → lane → sinks.
//
// Thread: main.
// Cost: the constructor takes all pinned memory; nothing is pinned later.
class Pipeline {
 public:
  // Throws Error with cause and remedy when anything that the configuration asks for cannot be had.
  // Both arguments outlive it.
  Pipeline(const Config& config, const Options& options);
  ~Pipeline();

  void start();

  // A replay has come to its end.
  [[nodiscard]] bool finished();

  // Stops receiving, decodes what is there, and lets every sink write what it has.
  void stop() noexcept;

  [[nodiscard]] const StreamTable& streams() const noexcept { return streams_; }
  [[nodiscard]] ServerFacts facts() const;
  // Why the exit code is not 0 although the books balance: one line each.
  [[nodiscard]] std::vector<std::string> failures() const;

  // Frees the memory of streams that have ended.
  void sweep();

 private:
  void open_udp_streams();
  void open_replay();
  void plot_latencies();

  const Config& config_;
  const Options& options_;

  // From here on the order is load-bearing: members are destroyed bottom-up, so transports go
  // first, then the sinks with their leases, then the rings of the streams, and the memory they lie
  // in last.
  std::unique_ptr<Device> device_;
  MemoryPlan memory_;
  Slab slab_;
  Reactor reactor_;
  Lane lane_;
  StreamTable streams_;
  Sinks sinks_;
  std::vector<std::unique_ptr<Transport>> transports_;

  std::int64_t started_ns_ = 0;
  std::int64_t stopped_ns_ = 0;
};

}  // namespace penstock
