// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#include "server/config_file.hpp"

#include "base/nearest.hpp"
#include "server/config_rules.hpp"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <map>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>

namespace penstock {
namespace {

constexpr std::uint64_t kMaxPort = 65535;
constexpr std::uint64_t kMaxGpuIndex = 1023;

// Decimal digits only, up to `most`.
std::optional<std::uint64_t> digits(std::string_view text, std::uint64_t most) {
  std::uint64_t number = 0;
  const auto result = std::from_chars(text.data(), text.data() + text.size(), number);
  if (result.ec != std::errc{} || result.ptr != text.data() + text.size()) return std::nullopt;
  return number <= most ? std::optional{number} : std::nullopt;
}

// "ADDRESS:PORT" or "[ADDRESS]:PORT".
std::optional<ListenConfig> parse_endpoint(std::string_view text) {
  const std::size_t colon = text.rfind(':');
  if (colon == std::string_view::npos) return std::nullopt;
  std::string_view address = text.substr(0, colon);
  const auto port = digits(text.substr(colon + 1), kMaxPort);
  const bool brackets = address.size() > 2 && address.front() == '[' && address.back() == ']';
  if (brackets) address = address.substr(1, address.size() - 2);
  if (!port || address.empty() || (!brackets && address.find(':') != std::string_view::npos)) {
    return std::nullopt;
  }
  ListenConfig listen;
  listen.address = std::string{address};
  listen.port = static_cast<std::uint16_t>(*port);
  return listen;
}

std::optional<DeviceChoice> parse_device(std::string_view text) {
  DeviceChoice choice;
  if (text == "host") return choice;
  if (text == "auto") {
    choice.kind = DeviceChoice::Kind::automatic;
    return choice;
  }
  constexpr std::string_view kCuda = "cuda";
  if (text.substr(0, kCuda.size()) != kCuda) return std::nullopt;
  choice.kind = DeviceChoice::Kind::cuda;
  text.remove_prefix(kCuda.size());
  if (text.empty()) return choice;
  const auto index = text[0] == ':' ? digits(text.substr(1), kMaxGpuIndex) : std::nullopt;
  if (!index) return std::nullopt;
  choice.index = static_cast<int>(*index);
  return choice;
}

std::vector<std::string> format_names() {
  std::vector<std::string> names;
  for (const StreamKindName& entry : kStreamKinds) names.emplace_back(entry.name);
  return names;
}

class Loader {
 public:
  explicit Loader(YamlFile& file) : file_{file} {}

  LoadedConfig load() {
    if (file_.readable()) {
      YamlMap root = file_.root();
      read(root);
      judge();
    }
    return {std::move(config_), file_.violations()};
  }

 private:
  void read(YamlMap& root) {
    note(root, {"", "streams", "delivery"});
    read_device(root);
    if (auto memory = root.map("memory")) read_memory(*memory);
    // A listen entry that cannot be read is one all the same.
    if (root.has("listen")) config_.listen.emplace();
    if (auto listen = root.map("listen")) read_listen(*listen);
    for (YamlMap& stream : root.list_of_maps("streams")) read_stream(stream);
    root.finish();
  }

  void read_device(YamlMap& root) {
    if (const auto text = root.text("device")) {
      if (const auto choice = parse_device(*text)) {
        config_.device = *choice;
      } else {
        const std::vector<std::string> words{"host", "cuda", "auto"};
        root.violation("device", "is \"" + printable(*text) + "\"" + did_you_mean(*text, words) +
                                     ", allowed are host, cuda, cuda:N, auto");
      }
    }
    config_.device.allow_mapped = root.choice("delivery", {"auto", "copied"}) != 1u;
  }

  void read_memory(YamlMap& memory) {
    note(memory, {"pinned_limit"});
    config_.memory.pinned_limit = memory.size("pinned_limit");
    config_.memory.lock = memory.boolean("lock").value_or(config_.memory.lock);
    memory.finish();
  }

  void read_listen(YamlMap& map) {
    note(map, {"tcp", "memory"});
    ListenConfig listen;
    if (const auto text = map.text("tcp")) {
      if (const auto endpoint = parse_endpoint(*text)) {
        listen = *endpoint;
      } else {
        map.violation("tcp", "is \"" + printable(*text) +
                                 "\", allowed are ADDRESS:PORT (0.0.0.0:7470) and "
                                 "\"[ADDRESS]:PORT\" (\"[::]:7470\"), ports 0 to 65535");
      }
    } else if (!map.has("tcp")) {
      map.violation("tcp", "is missing, expected is ADDRESS:PORT, for example 0.0.0.0:7470");
    }
    listen.declared_only = map.choice("streams", {"any", "declared"}) == 1u;
    listen.memory = map.size("memory");
    config_.listen = std::move(listen);
    map.finish();
  }

  void read_stream(YamlMap& map) {
    note(map, {"", "name", "format", "udp", "width", "height", "slots"});
    StreamConfig stream;
    stream.name = map.text("name").value_or("");
    if (!map.has("name")) map.violation("name", "is missing, every stream needs one");
    static const std::vector<std::string> formats = format_names();
    if (const auto format = map.choice("format", formats)) {
      stream.format = kStreamKinds[*format].kind;
    } else if (!map.has("format")) {
      map.violation("format", "is missing, every stream needs one, such as velodyne_vlp16");
    }
    if (auto udp = map.map("udp")) stream.udp = read_udp(*udp);
    const auto number = [&map](std::string_view key, std::uint64_t least, std::uint64_t most) {
      return static_cast<std::uint32_t>(map.integer(key, least, most).value_or(0));
    };
    stream.width = number("width", 1, kMaxImageSide);
    stream.height = number("height", 1, kMaxImageSide);
    stream.slots = number("slots", 0, kMaxSlots);
    stream.deliver_partial = map.choice("partial", {"deliver", "drop"}) != 1u;
    stream.checksum = map.boolean("checksum").value_or(stream.checksum);
    map.finish();
    config_.streams.push_back(std::move(stream));
  }

  UdpConfig read_udp(YamlMap& map) {
    note(map, {"address", "port", "position_port"});
    UdpConfig udp;
    udp.address = map.text("address").value_or(udp.address);
    udp.port = static_cast<std::uint16_t>(map.integer("port", 1, kMaxPort).value_or(0));
    if (!map.has("port")) map.violation("port", "is missing, allowed is 1 to 65535");
    udp.position_port = static_cast<std::uint16_t>(
        map.integer("position_port", 0, kMaxPort).value_or(udp.position_port));
    map.finish();
    return udp;
  }

  // Remembers where the rules will find what they judge.
  void note(const YamlMap& map, std::initializer_list<std::string_view> keys) {
    for (const std::string_view key : keys) {
      YamlPlace place = map.place(key);
      places_.emplace(place.key, place);
    }
  }

  // Rules on what could not be read would only repeat that.
  [[nodiscard]] bool unreadable(const std::string& key) const {
    return std::any_of(
        file_.violations().begin(), file_.violations().end(),
        [&key](const Violation& found) { return found.key.compare(0, key.size(), key) == 0; });
  }

  void judge() {
    std::vector<ConfigProblem> found = validate(config_);
    std::erase_if(found, [this](const ConfigProblem& broken) {
      return (!broken.key.empty() && unreadable(broken.key)) ||
             (!broken.judged_by.empty() && unreadable(broken.judged_by));
    });
    for (ConfigProblem& broken : found) {
      YamlPlace place = places_[broken.key];
      place.key = broken.key;
      file_.add(place, std::move(broken.problem));
    }
  }

  YamlFile& file_;
  Config config_;
  std::map<std::string, YamlPlace> places_;
};

}  // namespace

LoadedConfig load_config(const std::string& path) {
  YamlFile file{path};
  return Loader{file}.load();
}

LoadedConfig parse_config(const std::string& name, const std::string& text) {
  YamlFile file{name, text};
  return Loader{file}.load();
}

}  // namespace penstock
