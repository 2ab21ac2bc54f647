// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#include "client/run_load.hpp"

#include "base/clock.hpp"
#include "client/pattern.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <exception>
#include <thread>
#include <vector>

namespace penstock {
namespace {

// How often a thread that waits looks whether it is to stop.
constexpr int kLookMs = 100;

// One connection's share of the streams.
class Connected {
 public:
  Connected(const LoadOptions& options, const Pattern& pattern,
            const std::function<bool()>& stopped, std::int64_t end_ns)
      : options_{options}, pattern_{pattern}, stopped_{stopped}, end_ns_{end_ns} {}

  void add(std::uint32_t index, StreamReport& report) {
    streams_.push_back({.index = index, .report = &report});
  }

  void run() noexcept {
    try {
      Sender sender{options_.to};
      open(sender);
      send(sender);
      close(sender);
      sender.goodbye();
    } catch (const std::exception& error) {
      for (const Stream& stream : streams_) {
        if (!stream.closed) stream.report->error = error.what();
      }
    }
  }

 private:
  struct Stream {
    std::uint32_t index;
    StreamReport* report;
    Sender::Stream number = 0;
    bool closed = false;
  };

  void open(Sender& sender) {
    for (Stream& stream : streams_) {
      stream.number = sender.open({.name = stream.report->name,
                                   .kind = options_.kind,
                                   .max_frame_bytes = options_.frame_bytes,
                                   .payload_crc = options_.payload_crc});
    }
  }

  [[nodiscard]] bool over(std::uint64_t sequence) const {
    return (options_.frames != 0 && sequence >= options_.frames) || monotonic_ns() >= end_ns_ ||
           stopped_();
  }

  void send(Sender& sender) {
    const std::int64_t begin = monotonic_ns();
    for (std::uint64_t sequence = 0; !over(sequence); ++sequence) {
      if (options_.rate_hz > 0 && !sleep_until(begin, sequence)) return;
      for (const Stream& stream : streams_) {
        if (!send_one(sender, stream, sequence)) return;
      }
    }
  }

  // Absolute, so that a late frame does not delay those behind it. False when it is to stop.
  bool sleep_until(std::int64_t begin, std::uint64_t sequence) const {
    const auto due =
        begin + static_cast<std::int64_t>(static_cast<double>(sequence) * 1e9 / options_.rate_hz);
    for (std::int64_t left = due - monotonic_ns(); left > 0; left = due - monotonic_ns()) {
      if (over(0)) return false;
      std::this_thread::sleep_for(
          std::chrono::nanoseconds{std::min<std::int64_t>(left, kLookMs * 1'000'000)});
    }
    return true;
  }

  bool send_one(Sender& sender, const Stream& stream, std::uint64_t sequence) {
    while (options_.on_no_credit == OnNoCredit::wait &&
           !sender.wait_for_credit(stream.number, kLookMs)) {
      if (over(0)) return false;
    }
    const auto payload = pattern_.frame(stream.index, sequence, options_.frame_bytes);
    if (sender.send(stream.number, payload, realtime_ns(), options_.on_no_credit)) {
      ++stream.report->sent;
      stream.report->bytes += payload.size();
    } else {
      ++stream.report->unsent;
    }
    return true;
  }

  void close(Sender& sender) {
    for (Stream& stream : streams_) {
      const SentCounts counts = sender.close(stream.number);
      stream.report->received = counts.received;
      stream.report->crc_mismatches = counts.crc_mismatches;
      stream.closed = true;
    }
  }

  const LoadOptions& options_;
  const Pattern& pattern_;
  const std::function<bool()>& stopped_;
  const std::int64_t end_ns_;
  std::vector<Stream> streams_;
};

}  // namespace

LoadReport run_load(const LoadOptions& options, const std::function<bool()>& stopped) {
  LoadReport report;
  for (std::uint32_t i = 0; i < options.streams; ++i) {
    report.streams.push_back({.name = fmt::format("{}_{}", options.name, i)});
  }
  const Pattern pattern{options.frame_bytes};
  const std::int64_t begin = monotonic_ns();
  const std::int64_t end = options.duration_s > 0
                               ? begin + static_cast<std::int64_t>(options.duration_s * 1e9)
                               : std::numeric_limits<std::int64_t>::max();

  std::vector<Connected> connections(options.connections, {options, pattern, stopped, end});
  for (std::uint32_t i = 0; i < options.streams; ++i) {
    connections[i % options.connections].add(i, report.streams[i]);
  }
  std::vector<std::thread> threads;
  for (Connected& connection : connections) {
    threads.emplace_back([&connection] { connection.run(); });
  }
  for (std::thread& thread : threads) thread.join();
  report.seconds = static_cast<double>(monotonic_ns() - begin) / 1e9;
  return report;
}

}  // namespace penstock
