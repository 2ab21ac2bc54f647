// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#include "server/pipeline.hpp"

#include "base/clock.hpp"
#include "base/human_bytes.hpp"
#include "buffer/host_limits.hpp"
#include "net/replay/replay_source.hpp"
#include "net/tcp/tcp_listener.hpp"
#include "net/udp/udp_receiver.hpp"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <utility>

namespace penstock {
namespace {

// A device that has not finished by then has hung; what it holds is dropped with cause `shutdown`.
constexpr int kDrainMs = 5000;

PinnedMemory pin(Device& device, const MemoryPlan& plan) {
  const std::int64_t begin = monotonic_ns();
  PinnedMemory memory = device.pin(Mapping{std::max<std::size_t>(plan.total(), kPageBytes)});
  spdlog::info("memory pinned bytes={} declared={} pool={} limit={} ({}) pages=\"{}\" took_ms={}",
               memory.host().size(), plan.declared_bytes, plan.pool_bytes, plan.limit.bytes,
               plan.limit.source, memory.mapping().pages(), (monotonic_ns() - begin) / 1'000'000);
  return memory;
}

DeviceChoice with_lock(DeviceChoice choice, bool lock) {
  choice.lock_pages = lock;
  return choice;
}

}  // namespace

Pipeline::Pipeline(const Config& config, const Options& options)
    : config_{config},
      options_{options},
      device_{make_device(with_lock(config.device, config.memory.lock))},
      memory_{plan_memory(config, read_host_limits())},
      slab_{pin(*device_, memory_)},
      reactor_{"reactor"},
      lane_{device_->make_queue(slab_.memory()),
            [this](const DeliveredFrame& delivered) { sinks_.take(delivered); }},
      streams_{config,
               {.slab = slab_, .lane = lane_, .reactor = reactor_},
               memory_.pool_bytes,
               {.began = [this](StreamId id, const StreamRecord& record, const StreamPlan& plan,
                                bool waits) { sinks_.began(id, record.name, plan, waits); },
                .ended = [this](StreamId id) { sinks_.ended(id); }}},
      sinks_{options} {
  if (!options.replay.empty()) {
    open_replay();
  } else {
    open_udp_streams();
    if (config.listen) {
      transports_.push_back(std::make_unique<TcpListener>(
          reactor_, TcpEndpoint{config.listen->address, config.listen->port}, streams_));
    }
  }
}

Pipeline::~Pipeline() { stop(); }

void Pipeline::open_udp_streams() {
  for (const StreamConfig& stream : config_.streams) {
    if (!stream.udp) continue;
    transports_.push_back(std::make_unique<UdpReceiver>(
        reactor_, UdpEndpoint{stream.udp->address, stream.udp->port, stream.udp->position_port},
        stream.name, stream.format, streams_.open_declared(stream, false)));
  }
}

void Pipeline::open_replay() {
  std::vector<ReplayRoute> routes;
  for (const StreamConfig& stream : config_.streams) {
    if (!stream.udp) continue;
    routes.push_back({.data_port = stream.udp->port,
                      .position_port = stream.udp->position_port,
                      .name = stream.name,
                      .kind = stream.format,
                      .port = &streams_.open_declared(stream, true)});
  }
  transports_.push_back(
      std::make_unique<ReplaySource>(reactor_, options_.replay, options_.pace, std::move(routes)));
}

void Pipeline::start() {
  started_ns_ = monotonic_ns();
  lane_.start();
  for (const auto& transport : transports_) transport->start();
  reactor_.start();
  spdlog::info("serving device=\"{}\" streams={}{}", device_->description(), config_.streams.size(),
               options_.replay.empty() ? "" : " replay=" + options_.replay);
}

bool Pipeline::finished() {
  if (options_.replay.empty()) return false;
  bool finished = true;
  reactor_.run([&] {
    for (const auto& transport : transports_) finished &= transport->finished();
  });
  return finished;
}

void Pipeline::sweep() {
  reactor_.run([this] { streams_.sweep(); });
}

void Pipeline::stop() noexcept {
  if (started_ns_ == 0 || stopped_ns_ != 0) return;
  reactor_.run([this] {
    for (const auto& transport : transports_) transport->stop();
  });
  reactor_.stop();
  lane_.stop(kDrainMs);
  sinks_.finish();
  plot_latencies();
  stopped_ns_ = monotonic_ns();
}

void Pipeline::plot_latencies() {
  std::vector<LatencySeries> series;
  streams_.for_each([&](const StreamRecord& record) {
    series.push_back({record.name, &record.account.decoding.complete_to_result_ns});
  });
  sinks_.plot_latencies(series);
}

ServerFacts Pipeline::facts() const {
  return {.device = device_->description(),
          .pinned_bytes = slab_.memory().host().size(),
          .frames_recorded = sinks_.frames_recorded(),
          .frames_not_recorded = sinks_.frames_not_recorded(),
          .seconds = static_cast<double>(stopped_ns_ - started_ns_) / 1e9};
}

std::vector<std::string> Pipeline::failures() const {
  std::vector<std::string> failures = sinks_.failures();
  for (const auto& transport : transports_) {
    if (auto failure = transport->failure()) failures.push_back(std::move(*failure));
  }
  return failures;
}

}  // namespace penstock
