// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#include "base/yaml_reader.hpp"

#include "base/nearest.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <limits>
#include <system_error>
#include <utility>

namespace penstock {
namespace {

struct Unit {
  std::string_view name;
  std::uint64_t bytes;
};

constexpr std::array kUnits{
    Unit{"", 1},
    Unit{"B", 1},
    Unit{"KiB", std::uint64_t{1} << 10},
    Unit{"MiB", std::uint64_t{1} << 20},
    Unit{"GiB", std::uint64_t{1} << 30},
    Unit{"TiB", std::uint64_t{1} << 40},
    Unit{"kB", 1'000},
    Unit{"KB", 1'000},
    Unit{"MB", 1'000'000},
    Unit{"GB", 1'000'000'000},
    Unit{"TB", 1'000'000'000'000},
};

enum class Parsed { good, malformed, too_large };

// Digits only: no sign, no hexadecimal, and no leading zero, which YAML 1.1 would take for octal.
Parsed parse_digits(std::string_view text, std::uint64_t& value) {
  const bool digits = !text.empty() && std::all_of(text.begin(), text.end(), [](char letter) {
    return letter >= '0' && letter <= '9';
  });
  if (!digits || (text.size() > 1 && text[0] == '0')) return Parsed::malformed;
  const auto result = std::from_chars(text.data(), text.data() + text.size(), value);
  return result.ec == std::errc{} ? Parsed::good : Parsed::too_large;
}

Parsed parse_size(std::string_view text, std::uint64_t& bytes) {
  const std::size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
  std::uint64_t number = 0;
  if (const Parsed parsed = parse_digits(text.substr(0, digits), number); parsed != Parsed::good) {
    return parsed;
  }
  text.remove_prefix(digits);
  if (!text.empty() && text[0] == ' ') text.remove_prefix(1);
  for (const Unit& unit : kUnits) {
    if (unit.name != text) continue;
    if (number > std::numeric_limits<std::uint64_t>::max() / unit.bytes) return Parsed::too_large;
    bytes = number * unit.bytes;
    return Parsed::good;
  }
  return Parsed::malformed;
}

std::string is(std::string_view value) { return "is \"" + printable(value) + "\""; }

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
  return text;
}

// Whole numbers without a decimal point, others with as many digits as they need.
std::string shown(double value) {
  std::array<char, 32> text{};
  const auto end = std::to_chars(text.data(), text.data() + text.size(), value).ptr;
  return {text.data(), end};
}

YamlPlace place_of(const YAML::Node& node, std::string key) {
  const YAML::Mark mark = node.Mark();
  return {mark.line + 1, mark.column + 1, std::move(key)};
}

}  // namespace

YamlMap::YamlMap(YamlFile& file, const YAML::Node& node, std::string path)
    : file_{&file}, node_{node}, path_{std::move(path)} {}

std::string YamlMap::path_of(std::string_view key) const {
  if (key.empty()) return path_;
  return (path_.empty() ? path_ : path_ + ".") + std::string{key};
}

// By hand and not by operator[], which would compare the key with nodes of every kind.
YAML::Node YamlMap::find(std::string_view key) const {
  for (const auto& entry : node_) {
    if (entry.first.IsScalar() && entry.first.Scalar() == key) return entry.second;
  }
  return YAML::Node{YAML::NodeType::Undefined};
}

bool YamlMap::has(std::string_view key) const { return find(key).IsDefined(); }

YamlPlace YamlMap::place(std::string_view key) const {
  for (const auto& entry : node_) {
    if (!entry.first.IsScalar() || entry.first.Scalar() != key) continue;
    // A value that is not there has no place of its own.
    return place_of(entry.second.IsNull() ? entry.first : entry.second, path_of(key));
  }
  return place_of(node_, path_of(key));
}

void YamlMap::violation(std::string_view key, std::string problem) {
  file_->add(place(key), std::move(problem));
}

// The text of a scalar; null when the key is absent, or holds something else, which is noted.
const std::string* YamlMap::scalar(std::string_view key, std::string_view expected) {
  known_.emplace_back(key);
  const YAML::Node node = find(key);
  if (!node.IsDefined()) return nullptr;
  if (node.IsScalar()) return &node.Scalar();  // lives as long as node_
  const char* const found = node.IsNull()  ? "has no value"
                            : node.IsMap() ? "is a mapping"
                                           : "is a list";
  violation(key, std::string{found} + ", expected is " + std::string{expected});
  return nullptr;
}

std::optional<std::string> YamlMap::text(std::string_view key) {
  const std::string* const value = scalar(key, "text");
  if (value == nullptr) return std::nullopt;
  return *value;
}

std::optional<bool> YamlMap::boolean(std::string_view key) {
  const std::string* const value = scalar(key, "true or false");
  if (value == nullptr) return std::nullopt;
  if (*value == "true") return true;
  if (*value == "false") return false;
  violation(key, is(*value) + ", allowed are true and false");
  return std::nullopt;
}

std::optional<std::uint64_t> YamlMap::integer(std::string_view key, std::uint64_t least,
                                              std::uint64_t most) {
  const std::string range = std::to_string(least) + " to " + std::to_string(most);
  const std::string* const value = scalar(key, "a whole number");
  if (value == nullptr) return std::nullopt;
  std::uint64_t number = 0;
  const Parsed parsed = parse_digits(*value, number);
  if (parsed == Parsed::good && number >= least && number <= most) return number;
  if (parsed == Parsed::malformed) {
    violation(key, is(*value) + ", allowed are whole numbers from " + range);
  } else {
    violation(key, "is " + printable(*value) + ", allowed is " + range);
  }
  return std::nullopt;
}

std::optional<double> YamlMap::number(std::string_view key, double least, double most) {
  const std::string* const value = scalar(key, "a number");
  if (value == nullptr) return std::nullopt;
  double number = 0;
  const char* const end = value->data() + value->size();
  const auto result = std::from_chars(value->data(), end, number);
  // Written so that "nan" fails it.
  if (result.ec == std::errc{} && result.ptr == end && number >= least && number <= most) {
    return number;
  }
  violation(key, is(*value) + ", allowed are numbers from " + shown(least) + " to " + shown(most));
  return std::nullopt;
}

std::optional<std::uint64_t> YamlMap::size(std::string_view key) {
  const std::string* const value = scalar(key, "a size such as 256MiB");
  if (value == nullptr) return std::nullopt;
  std::uint64_t bytes = 0;
  switch (parse_size(*value, bytes)) {
    case Parsed::good:
      return bytes;
    case Parsed::too_large:
      violation(key, is(*value) + ", allowed is less than 2^64 bytes");
      return std::nullopt;
    case Parsed::malformed:
      break;
  }
  violation(key, is(*value) +
                     ", allowed are whole numbers with or without a unit "
                     "(B, KiB, MiB, GiB, TiB, kB, MB, GB, TB)");
  return std::nullopt;
}

std::optional<std::size_t> YamlMap::choice(std::string_view key,
                                           const std::vector<std::string>& allowed) {
  const std::string* const value = scalar(key, "one of " + joined(allowed));
  if (value == nullptr) return std::nullopt;
  const auto found = std::find(allowed.begin(), allowed.end(), *value);
  if (found != allowed.end()) return static_cast<std::size_t>(found - allowed.begin());
  violation(key, is(*value) + did_you_mean(*value, allowed) + ", allowed are " + joined(allowed));
  return std::nullopt;
}

std::optional<YamlMap> YamlMap::map(std::string_view key) {
  known_.emplace_back(key);
  const YAML::Node node = find(key);
  if (!node.IsDefined()) return std::nullopt;
  if (node.IsMap()) return YamlMap{*file_, node, path_of(key)};
  violation(key, node.IsNull() ? "has no value, expected is a mapping ({key: value})"
                               : "is no mapping, expected is {key: value}");
  return std::nullopt;
}

std::vector<YamlMap> YamlMap::list_of_maps(std::string_view key) {
  known_.emplace_back(key);
  std::vector<YamlMap> maps;
  const YAML::Node node = find(key);
  if (!node.IsDefined()) return maps;
  if (!node.IsSequence()) {
    violation(key, node.IsNull() ? "has no value, expected is a list of mappings"
                                 : "is no list, expected is a list of mappings");
    return maps;
  }
  std::size_t index = 0;
  for (const YAML::Node& entry : node) {
    const std::string path = path_of(key) + "[" + std::to_string(index++) + "]";
    if (entry.IsMap()) {
      maps.emplace_back(*file_, entry, path);
    } else {
      file_->add(place_of(entry, path), "is no mapping, expected is {key: value}");
    }
  }
  return maps;
}

void YamlMap::finish() {
  const std::string allowed = known_.empty() ? "" : ", allowed are " + joined(known_);
  for (const auto& entry : node_) {
    if (!entry.first.IsScalar()) continue;  // noted by check_yaml_structure()
    const std::string& key = entry.first.Scalar();
    if (std::find(known_.begin(), known_.end(), key) != known_.end()) continue;
    file_->add(place_of(entry.first, path_of(printable(key))),
               "unknown key" + did_you_mean(key, known_) + allowed);
  }
}

}  // namespace penstock
