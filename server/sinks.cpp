// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#include "server/sinks.hpp"

#include "sink/whole_file.hpp"

namespace penstock {

Sinks::Sinks(const Options& options) : report_{options.report} {
  if (!options.dump.empty()) recorder_.emplace(options.dump);
  if (!options.report.empty()) snapshot_.emplace(options.report);
}

void Sinks::began(StreamId id, const std::string& name, const StreamPlan& plan,
                  bool flow_controlled) {
  if (recorder_) {
    recorder_->began({.id = id,
                      .name = name,
                      .flow_controlled = flow_controlled,
                      .slots = plan.slots,
                      .result_slots = plan.result_slots});
  }
  if (snapshot_ && plan.result_slots != 0) snapshot_->began(id, name, flow_controlled);
}

void Sinks::ended(StreamId id) noexcept {
  if (recorder_) recorder_->ended(id);
  if (snapshot_) snapshot_->ended(id);
}

void Sinks::take(const DeliveredFrame& delivered) noexcept {
  if (recorder_) recorder_->take(delivered);
  if (snapshot_) snapshot_->take(delivered);
}

void Sinks::finish() noexcept {
  if (recorder_) recorder_->finish();
  if (snapshot_) snapshot_->finish();
}

void Sinks::plot_latencies(std::span<const LatencySeries> series) {
  if (report_.empty()) return;
  const auto written = write_whole_file(report_ + "/latency.svg", latency_plot(series));
  if (!written) plot_failure_ = "report: " + written.error().text;
}

std::uint64_t Sinks::frames_recorded() const noexcept {
  return recorder_ ? recorder_->frames_recorded() : 0;
}

std::uint64_t Sinks::frames_not_recorded() const noexcept {
  return recorder_ ? recorder_->frames_not_recorded() : 0;
}

std::vector<std::string> Sinks::failures() const {
  std::vector<std::string> list;
  if (recorder_) list = recorder_->failures();
  if (snapshot_)
    list.insert(list.end(), snapshot_->failures().begin(), snapshot_->failures().end());
  if (!plot_failure_.empty()) list.push_back(plot_failure_);
  return list;
}

}  // namespace penstock
