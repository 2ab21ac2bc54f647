// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <yaml-cpp/yaml.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace penstock {

// One broken rule: `text()` is "file:line:column key: what is wrong, what is allowed". Lines and
// columns count from 1; line 0 means that the rule is about the file as a whole.
struct Violation {
  std::string file;
  int line = 0;
  int column = 0;
  std::string key;  // spelled as in the file, with its path: "streams[0].udp.port"
  std::string problem;

  [[nodiscard]] std::string text() const;
};

// Where a value stands, for rules that are judged after reading.
struct YamlPlace {
  int line = 0;
  int column = 0;
  std::string key;
};

class YamlFile;

// The keys of one mapping. Each read marks its key as known and gives nothing when the key is
// absent or its value breaks a rule; in the second case the violation is noted. finish() notes
// every key that nobody read.
class YamlMap {
 public:
  YamlMap(YamlFile& file, const YAML::Node& node, std::string path);

  [[nodiscard]] bool has(std::string_view key) const;
  [[nodiscard]] YamlPlace place(std::string_view key) const;  // of the key's value, or of the map

  std::optional<std::string> text(std::string_view key);
  std::optional<bool> boolean(std::string_view key);  // true | false
  std::optional<std::uint64_t> integer(std::string_view key, std::uint64_t least,
                                       std::uint64_t most);
  std::optional<double> number(std::string_view key, double least, double most);
  std::optional<std::uint64_t> size(std::string_view key);  // bytes: 4096, 64KiB, 256MiB, 2GiB, 1MB
  // One of `allowed`; the index of it.
  std::optional<std::size_t> choice(std::string_view key, const std::vector<std::string>& allowed);
  // The entry, if it is a mapping.
  std::optional<YamlMap> map(std::string_view key);
  // The entries that are mappings; the others are violations.
  std::vector<YamlMap> list_of_maps(std::string_view key);

  void violation(std::string_view key, std::string problem);
  void finish();

 private:
  [[nodiscard]] std::string path_of(std::string_view key) const;
  [[nodiscard]] YAML::Node find(std::string_view key) const;
  const std::string* scalar(std::string_view key, std::string_view expected);

  YamlFile* file_;
  YAML::Node node_;
  std::string path_;
  std::vector<std::string> known_;  // what was read, for finish() and its suggestions
};

// A YAML file that is read with every violation reported at once. Refuses what YAML lets pass and
// people trip over: duplicate keys, several documents, a top level that is not a mapping. Bounded:
// files up to 1 MiB, nested up to 32 levels, up to 1000 aliases and 1000 violations.
class YamlFile {
 public:
  // Reads `path`. A file that cannot be opened or is no YAML becomes a violation, and root() is
  // then an empty mapping.
  explicit YamlFile(const std::string& path);
  // Reads `text`, which `name` stands for in messages.
  YamlFile(std::string name, const std::string& text);

  [[nodiscard]] YamlMap root();
  // False when there was nothing to read (no file, no YAML, no mapping): root() is then empty, and
  // what is missing from it is not worth a violation.
  [[nodiscard]] bool readable() const noexcept { return readable_; }
  void add(const YamlPlace& place, std::string problem);
  [[nodiscard]] const std::vector<Violation>& violations() const noexcept { return violations_; }
  [[nodiscard]] const std::string& name() const noexcept { return name_; }

 private:
  friend class YamlMap;
  void parse(const std::string& text);
  void refuse(int line, int column, std::string problem);

  std::string name_;
  YAML::Node root_;
  bool readable_ = false;
  std::vector<Violation> violations_;
};

}  // namespace penstock
