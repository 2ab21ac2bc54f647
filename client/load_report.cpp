// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#include "client/load_report.hpp"

#include "base/error.hpp"
#include "base/human_bytes.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdio>
#include <fstream>

namespace penstock {
namespace {

nlohmann::ordered_json json_of(const LoadReport& report) {
  nlohmann::ordered_json json{{"seconds", report.seconds},
                              {"streams", nlohmann::ordered_json::array()}};
  for (const StreamReport& stream : report.streams) {
    json["streams"].push_back({{"name", stream.name},
                               {"transport", stream.transport},
                               {"sent", stream.sent},
                               {"unsent", stream.unsent},
                               {"received", stream.received},
                               {"crc_mismatches", stream.crc_mismatches},
                               {"bytes", stream.bytes},
                               {"error", stream.error}});
  }
  return json;
}

bool arrived(const StreamReport& stream) noexcept {
  return stream.error.empty() && stream.crc_mismatches == 0 &&
         (stream.transport != "tcp" || stream.received == stream.sent);
}

void print(const StreamReport& stream, double seconds) {
  const char* const unit = stream.transport == "tcp" ? "frames" : "datagrams";
  const double rate = seconds > 0 ? static_cast<double>(stream.bytes) / seconds / 1e6 : 0;
  fmt::print("  {:<20} {} {} sent ({}, {:.1f} MB/s)", stream.name, stream.sent, unit,
             human_bytes(stream.bytes), rate);
  if (stream.transport == "tcp") fmt::print(", {} received by the server", stream.received);
  if (stream.unsent != 0) {
    fmt::print(
        ", {} {}", stream.unsent,
        stream.transport == "tcp" ? "dropped here for want of credit" : "that could not be sent");
  }
  if (stream.crc_mismatches != 0) fmt::print(", {} with a bad checksum", stream.crc_mismatches);
  if (!stream.error.empty()) fmt::print("; failed: {}", stream.error);
  fmt::print("\n");
}

}  // namespace

bool LoadReport::good() const noexcept {
  return std::all_of(streams.begin(), streams.end(), arrived);
}

void give_report(const LoadReport& report, const std::string& file) {
  fmt::print("sent for {:.1f} s\n", report.seconds);
  for (const StreamReport& stream : report.streams) print(stream, report.seconds);
  std::fflush(stdout);
  if (file.empty()) return;
  std::ofstream out{file, std::ios::trunc};
  out << json_of(report).dump(2) << '\n';
  out.close();
  if (!out) throw Error{{errno, std::system_category()}, "write the report " + file};
}

}  // namespace penstock
