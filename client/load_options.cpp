// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#include "client/load_options.hpp"

#include <CLI/CLI.hpp>

#include <charconv>
#include <iostream>
#include <map>

namespace penstock {
namespace {

constexpr const char* kAbout =
    "Sends synthetic sensor data to a Penstock server and checks what it says it received.\n"
    "Exit code: 0 everything arrived or was dropped by policy, 1 something failed, 2 usage.";

template <class T>
bool number(const std::string& text, T& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc{} && end == text.data() + text.size();
}

CLI::Validator check_with(std::string name, std::function<std::string(const std::string&)> check) {
  return CLI::Validator{[check = std::move(check)](std::string& text) { return check(text); },
                        std::move(name)};
}

// What is read as text and judged by our own rules.
struct Texts {
  std::string to;
  std::string size = "1MiB";
  std::string pace = "recorded";
  std::string policy;
};

void add_options(CLI::App& app, LoadOptions& options, Texts& texts) {
  app.set_version_flag("--version", PENSTOCK_VERSION);
  app.add_option("--to", texts.to, "the server, HOST:PORT or [IPV6]:PORT")
      ->required()
      ->check(check_with("HOST:PORT", [](const std::string& text) -> std::string {
        SenderOptions ignored;
        return parse_host_port(text, ignored) ? "" : "\"" + text + "\" is not HOST:PORT";
      }));
  app.add_option("--streams", options.streams, "how many streams to send")
      ->check(CLI::Range(1u, 4096u))
      ->capture_default_str();
  app.add_option("--connections", options.connections, "spread over so many connections")
      ->check(CLI::Range(1u, 256u))
      ->capture_default_str();
  app.add_option("--frame-bytes", texts.size, "bytes of each frame; 4KiB and 4MiB are understood")
      ->check(check_with("BYTES",
                         [](const std::string& text) -> std::string {
                           return parse_size(text)
                                      ? ""
                                      : "\"" + text + "\" is not a size within 1 and 4GiB";
                         }))
      ->capture_default_str();
  app.add_option("--rate", options.rate_hz,
                 "frames per second and stream; 0: as fast as the server grants")
      ->check(CLI::Range(0.0, 1e6))
      ->capture_default_str();
  app.add_option("--frames", options.frames, "end after so many frames per stream; 0: no end")
      ->capture_default_str();
  app.add_option("--name", options.name, "streams are called NAME_0, NAME_1 and so on")
      ->capture_default_str();
  app.add_flag("--crc", options.payload_crc, "send a CRC-32C of every payload");
  app.add_option("--on-no-credit", texts.policy,
                 "wait or drop when the server grants no slot [wait; with --rig: drop]")
      ->check(CLI::IsMember({"wait", "drop"}));
  auto* const rig = app.add_option("--rig", options.rig, "send the sensors of this rig file");
  app.add_option("--replay", options.replay,
                 "send the UDP datagrams of this capture to HOST, each to its recorded port")
      ->excludes(rig);
  app.add_option("--pace", texts.pace, "of --replay: recorded, max or Nx")
      ->check(check_with("PACE",
                         [](const std::string& text) -> std::string {
                           const auto parsed = parse_pace(text);
                           return parsed ? "" : parsed.error();
                         }))
      ->capture_default_str();
  app.add_option("--duration", options.duration_s, "seconds; 0: until a signal")
      ->check(CLI::Range(0.0, 1e9))
      ->capture_default_str();
  app.add_option("--report", options.report, "write the counts to this file as JSON");
}

}  // namespace

bool parse_host_port(const std::string& text, SenderOptions& to) {
  std::string host = text;
  std::string port;
  if (!text.empty() && text.front() == '[') {
    const std::size_t close = text.find(']');
    if (close == std::string::npos) return false;
    host = text.substr(1, close - 1);
    if (close + 1 < text.size()) {
      if (text[close + 1] != ':') return false;
      port = text.substr(close + 2);
      if (port.empty()) return false;
    }
  } else if (const std::size_t colon = text.rfind(':'); colon != std::string::npos) {
    host = text.substr(0, colon);
    port = text.substr(colon + 1);
    if (port.empty() || host.find(':') != std::string::npos) return false;
  }
  if (host.empty()) return false;
  to.host = host;
  return port.empty() || (number(port, to.port) && to.port != 0);
}

std::optional<std::size_t> parse_size(const std::string& text) {
  const std::size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
  const std::map<std::string, std::size_t> units{
      {"", 1}, {"KiB", 1u << 10}, {"MiB", 1u << 20}, {"GiB", 1u << 30}};
  const auto unit = units.find(text.substr(digits));
  std::size_t value = 0;
  constexpr std::size_t kMost = std::size_t{1} << 32;
  if (unit == units.end() || !number(text.substr(0, digits), value)) return std::nullopt;
  if (value == 0 || value > kMost / unit->second) return std::nullopt;
  return value * unit->second;
}

ParsedLoadOptions parse_load_options(int argc, const char* const* argv) {
  LoadOptions options;
  Texts texts;
  CLI::App app{kAbout, "penstock-load"};
  add_options(app, options, texts);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    const int code = app.exit(error, std::cout, std::cerr);
    return {.options = std::nullopt, .exit_code = code == 0 ? 0 : 2};
  }
  (void)parse_host_port(texts.to, options.to);
  options.frame_bytes = *parse_size(texts.size);
  options.pace = *parse_pace(texts.pace);
  if (texts.policy.empty()) texts.policy = options.rig.empty() ? "wait" : "drop";
  options.on_no_credit = texts.policy == "drop" ? OnNoCredit::drop : OnNoCredit::wait;
  options.connections = std::min(options.connections, options.streams);
  return {.options = options};
}

}  // namespace penstock
