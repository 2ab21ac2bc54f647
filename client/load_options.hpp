// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "client/sender.hpp"
#include "net/replay/pace.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace penstock {

// What the command line of penstock-load asks for.
struct LoadOptions {
  SenderOptions to;

  // Synthetic frames, the default.
  std::uint32_t streams = 1;
  std::uint32_t connections = 1;
  std::size_t frame_bytes = 1 << 20;
  double rate_hz = 30;        // frames per second and stream; 0: as fast as credit allows
  std::uint64_t frames = 0;   // per stream; 0: until the duration is over
  std::string name = "load";  // streams are NAME_0, NAME_1, …
  std::string kind = "raw";
  bool payload_crc = false;
  OnNoCredit on_no_credit = OnNoCredit::wait;

  std::string rig;     // a rig file: its sensors are sent instead
  std::string replay;  // a capture: its UDP datagrams are sent instead
  Pace pace;           // of the replay

  double duration_s = 10;
  std::string report;  // the counts as JSON
};

struct ParsedLoadOptions {
  std::optional<LoadOptions> options;
  int exit_code = 0;  // with which to end when there are none: help was printed, or an error
};
[[nodiscard]] ParsedLoadOptions parse_load_options(int argc, const char* const* argv);

// "HOST:PORT", "[V6]:PORT" or "HOST" (port 7470). False when it is none of them.
[[nodiscard]] bool parse_host_port(const std::string& text, SenderOptions& to);

// "4096", "4KiB", "4MiB". Nothing when it is not a size.
[[nodiscard]] std::optional<std::size_t> parse_size(const std::string& text);

}  // namespace penstock
