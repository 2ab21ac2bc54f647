// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#include "base/yaml_structure.hpp"

#include "base/nearest.hpp"
#include "base/yaml_reader.hpp"

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/yaml.h>

#include <cstddef>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace penstock {
namespace {

constexpr std::size_t kMaxDepth = 32;
constexpr std::size_t kMaxAliases = 1000;

class StructureCheck final : public YAML::EventHandler {
 public:
  explicit StructureCheck(YamlFile& file) : file_{file} {}

  void OnDocumentStart(const YAML::Mark& mark) override {
    if (++documents_ > 1) {
      throw YAML::ParserException{mark, "a second document begins here, one is allowed"};
    }
  }
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark& mark, YAML::anchor_t) override { node(mark, nullptr); }
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t) override {
    if (++aliases_ > kMaxAliases) {
      throw YAML::ParserException{mark, "too many aliases, at most 1000 are allowed"};
    }
    node(mark, nullptr);
  }
  void OnScalar(const YAML::Mark& mark, const std::string&, YAML::anchor_t,
                const std::string& value) override {
    node(mark, &value);
  }
  void OnSequenceStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t,
                       YAML::EmitterStyle::value) override {
    enter(mark, false);
  }
  void OnSequenceEnd() override { levels_.pop_back(); }
  void OnMapStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t,
                  YAML::EmitterStyle::value) override {
    enter(mark, true);
  }
  void OnMapEnd() override { levels_.pop_back(); }

 private:
  struct Level {
    bool is_map = false;
    bool key_next = true;   // map: the next node is a key
    std::size_t index = 0;  // sequence: nodes so far
    std::string key;        // map: the last key
    std::set<std::string> keys;
  };

  void enter(const YAML::Mark& mark, bool is_map) {
    node(mark, nullptr);
    if (levels_.size() == kMaxDepth) {
      throw YAML::ParserException{mark, "nested too deep, at most 32 levels are allowed"};
    }
    levels_.emplace_back();
    levels_.back().is_map = is_map;
  }

  // One node of the level that is open now.
  void node(const YAML::Mark& mark, const std::string* text) {
    if (levels_.empty()) return;
    Level& level = levels_.back();
    if (!level.is_map) {
      ++level.index;
      return;
    }
    level.key_next = !level.key_next;
    if (level.key_next) return;
    level.key = text == nullptr ? "?" : *text;
    if (text == nullptr) {
      violation(mark, "a key must be plain text");
    } else if (!level.keys.insert(*text).second) {
      violation(mark, "stands here a second time, each key is allowed once");
    }
  }

  void violation(const YAML::Mark& mark, std::string problem) {
    std::string path;
    for (const Level& level : levels_) {
      if (!level.is_map) {
        path += "[" + std::to_string(level.index - 1) + "]";
      } else {
        path += (path.empty() ? "" : ".") + printable(level.key);
      }
    }
    file_.add({mark.line + 1, mark.column + 1, std::move(path)}, std::move(problem));
  }

  YamlFile& file_;
  std::vector<Level> levels_;
  std::size_t documents_ = 0;
  std::size_t aliases_ = 0;
};

}  // namespace

void check_yaml_structure(const std::string& text, YamlFile& file) {
  std::istringstream input{text};
  YAML::Parser parser{input};
  StructureCheck check{file};
  while (parser.HandleNextDocument(check)) {
  }
}

}  // namespace penstock
