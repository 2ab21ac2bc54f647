// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#include "client/run_load.hpp"

#include "base/clock.hpp"
#include "client/deadline.hpp"
#include "client/pattern.hpp"

#include <fmt/format.h>

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
  Connected(const LoadOptions& options, const Pattern& pattern, const Deadline& deadline)
      : options_{options}, pattern_{pattern}, deadline_{deadline} {}

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

  void send(Sender& sender) {
    for (std::uint64_t n = 0; !deadline_.over() && (options_.frames == 0 || n < options_.frames);
         ++n) {
      if (options_.rate_hz > 0) {
        const auto due = static_cast<std::int64_t>(static_cast<double>(n) * 1e9 / options_.rate_hz);
        if (!deadline_.sleep_until(due)) return;
      }
      for (const Stream& stream : streams_) {
        if (!send_one(sender, stream, n)) return;
      }
    }
  }

  bool send_one(Sender& sender, const Stream& stream, std::uint64_t sequence) {
    while (options_.on_no_credit == OnNoCredit::wait &&
           !sender.wait_for_credit(stream.number, kLookMs)) {
      if (deadline_.over()) return false;
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
  const Deadline& deadline_;
  std::vector<Stream> streams_;
};

}  // namespace

LoadReport run_load(const LoadOptions& options, const std::function<bool()>& stopped) {
  LoadReport report;
  for (std::uint32_t i = 0; i < options.streams; ++i) {
    report.streams.push_back({.name = fmt::format("{}_{}", options.name, i)});
  }
  const Pattern pattern{options.frame_bytes};
  const Deadline deadline{options.duration_s, stopped};
  std::vector<Connected> connections(options.connections, {options, pattern, deadline});
  for (std::uint32_t i = 0; i < options.streams; ++i) {
    connections[i % options.connections].add(i, report.streams[i]);
  }
  std::vector<std::thread> threads;
  for (Connected& connection : connections) {
    threads.emplace_back([&connection] { connection.run(); });
  }
  for (std::thread& thread : threads) thread.join();
  report.seconds = deadline.seconds();
  return report;
}

}  // namespace penstock
