// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#include "client/send_capture.hpp"

#include "base/clock.hpp"
#include "client/datagram_socket.hpp"
#include "client/deadline.hpp"
#include "net/replay/capture_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>

namespace penstock {

namespace {

StreamReport& entry(LoadReport& report, std::uint16_t port) {
  std::string name = fmt::format("port {}", port);
  const auto known = std::find_if(report.streams.begin(), report.streams.end(),
                                  [&](const StreamReport& s) { return s.name == name; });
  if (known != report.streams.end()) return *known;
  report.streams.push_back({.name = std::move(name), .transport = "udp"});
  return report.streams.back();
}

}  // namespace

LoadReport send_capture(const LoadOptions& options, const std::function<bool()>& stopped) {
  std::uint64_t broken = 0;
  CaptureFile file{options.replay, [&](std::optional<std::uint16_t>, std::size_t) { ++broken; }};
  DatagramSocket socket{options.to.host};
  Pacer pacer{options.pace};
  const Deadline no_end{0, stopped};  // a capture ends by itself
  const std::int64_t begin = monotonic_ns();
  LoadReport report;
  while (const auto datagram = file.next()) {
    const std::int64_t due = pacer.due_ns(datagram->time_ns, monotonic_ns());
    if (!no_end.sleep_until(due - begin)) break;
    StreamReport& stream = entry(report, datagram->udp.port);
    const bool whole = datagram->udp.payload.size() == datagram->udp.payload_bytes;
    if (whole && socket.send(datagram->udp.payload, datagram->udp.port)) {
      ++stream.sent;
      stream.bytes += datagram->udp.payload.size();
    } else {
      ++stream.unsent;
    }
  }
  report.seconds = no_end.seconds();
  std::string error = file.fault().value_or("");
  if (error.empty() && broken != 0) error = fmt::format("{} datagrams lack fragments", broken);
  if (error.empty() && report.streams.empty()) error = "the capture holds no UDP datagram";
  if (!error.empty())
    report.streams.push_back({.name = options.replay, .transport = "udp", .error = error});
  return report;
}

}  // namespace penstock
