// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace penstock {

// What became of one stream, as its sender knows it.
struct StreamReport {
  std::string name;
  std::string transport = "tcp";  // tcp: units are frames; udp: datagrams
  std::uint64_t sent = 0;
  std::uint64_t unsent = 0;    // tcp: dropped here for want of credit; udp: could not be sent
  std::uint64_t received = 0;  // as the server counted; 0 where it does not tell (udp)
  std::uint64_t crc_mismatches = 0;
  std::uint64_t bytes = 0;
  std::string error{};  // empty: all went well
};

struct LoadReport {
  double seconds = 0;
  std::vector<StreamReport> streams;

  // Nothing failed, and the servers that tell received all that was sent.
  [[nodiscard]] bool good() const noexcept;
};

// Prints it for a person, and writes it as JSON when `file` is not empty. Throws when that fails.
void give_report(const LoadReport& report, const std::string& file);

}  // namespace penstock
