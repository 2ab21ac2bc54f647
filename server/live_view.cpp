// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#include "server/live_view.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace penstock {
namespace {

std::string drops(const StreamAccount& account) {
  std::string text;
  const auto add = [&text](std::string_view cause, std::uint64_t count) {
    if (count != 0) text += fmt::format("{}{}:{}", text.empty() ? "" : " ", cause, count);
  };
  for (std::size_t i = 0; i < Tally<FrameDrop>::kCauses; ++i) {
    add(name(static_cast<FrameDrop>(i)), account.frames_dropped(static_cast<FrameDrop>(i)));
  }
  const auto& in = account.receiving;
  for (std::size_t i = 0; i < Tally<PacketReject>::kCauses; ++i) {
    const auto cause = static_cast<PacketReject>(i);
    add(name(cause), in.packets_rejected.get(cause));
  }
  add("lost_packets", in.packets_lost.get());
  add("queue_overflow", in.receive_queue_overflows.get());
  add("unsent", in.frames_unsent.get());
  return text.empty() ? "-" : text;
}

std::string delivery(const StreamAccount& account) {
  const auto& counts = account.decoding.deliveries;
  const auto most = std::max_element(
      counts.begin(), counts.end(), [](const auto& a, const auto& b) { return a.get() < b.get(); });
  if (most->get() == 0) return "-";
  return std::string{name(static_cast<Delivery>(most - counts.begin()))};
}

}  // namespace

std::string LiveView::row(const StreamRecord& record, double seconds) {
  const StreamAccount& account = record.account;
  const std::uint64_t frames = account.decoding.frames_delivered.get();
  const std::uint64_t bytes = account.receiving.bytes_received.get();
  Last& last = last_[record.name];
  const double per_second = seconds > 0 ? 1.0 / seconds : 0;
  const auto& latency = account.decoding.complete_to_result_ns;
  std::string text = fmt::format(
      "{:<18.18} {:<15} {:>9.1f} {:>9.1f} {:>9.0f} {:>9.0f}  {:<9} {}\n", record.name,
      name(record.kind.load()), static_cast<double>(frames - last.frames) * per_second,
      static_cast<double>(bytes - last.bytes) * per_second / 1e6,
      static_cast<double>(latency.quantile(0.5)) / 1000,
      static_cast<double>(latency.quantile(0.99)) / 1000, delivery(account), drops(account));
  last = {frames, bytes};
  return text;
}

std::string LiveView::draw(const StreamTable& streams, std::int64_t now_ns) {
  const double seconds = last_ns_ == 0 ? 0 : static_cast<double>(now_ns - last_ns_) / 1e9;
  last_ns_ = now_ns;

  // Up over the last table, and clear from there.
  std::string text;
  if (terminal_ && rows_drawn_ != 0) text = fmt::format("\x1b[{}A\x1b[J", rows_drawn_);
  text += fmt::format("{:<18} {:<15} {:>9} {:>9} {:>9} {:>9}  {:<9} {}\n", "stream", "format",
                      "frames/s", "MB/s", "p50 us", "p99 us", "delivery", "drops");
  rows_drawn_ = 1;
  streams.for_each([&](const StreamRecord& record) {
    text += row(record, seconds);
    ++rows_drawn_;
  });
  return text;
}

}  // namespace penstock
