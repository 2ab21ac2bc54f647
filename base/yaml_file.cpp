// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#include "base/file_descriptor.hpp"
#include "base/nearest.hpp"
#include "base/yaml_reader.hpp"
#include "base/yaml_structure.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <exception>
#include <string>
#include <system_error>
#include <tuple>
#include <utility>

namespace penstock {
namespace {

constexpr std::size_t kMaxFileBytes = 1u << 20;
constexpr std::size_t kMaxViolations = 1000;

// Appends the contents of `path`, at most one byte more than is allowed; the errno value.
int read_file(const std::string& path, std::string& text) {
  const FileDescriptor file{::open(path.c_str(), O_RDONLY | O_CLOEXEC)};
  if (!file) return errno;
  std::array<char, 16384> part{};
  while (text.size() <= kMaxFileBytes) {
    const ssize_t got = ::read(file.get(), part.data(), part.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return errno;
    if (got == 0) break;
    text.append(part.data(), static_cast<std::size_t>(got));
  }
  return 0;
}

}  // namespace

std::string Violation::text() const {
  std::string line_text = file;
  if (line > 0) line_text += ":" + std::to_string(line) + ":" + std::to_string(column);
  line_text += key.empty() ? ": " : " " + key + ": ";
  return line_text + problem;
}

YamlFile::YamlFile(const std::string& path) : name_{path}, root_{YAML::NodeType::Map} {
  std::string text;
  if (const int error = read_file(path, text); error != 0) {
    refuse(0, 0, "cannot be read: " + std::system_category().message(error));
  } else {
    parse(text);
  }
}

YamlFile::YamlFile(std::string name, const std::string& text)
    : name_{std::move(name)}, root_{YAML::NodeType::Map} {
  parse(text);
}

YamlMap YamlFile::root() { return {*this, root_, ""}; }

void YamlFile::add(const YamlPlace& place, std::string problem) {
  if (violations_.size() > kMaxViolations) return;
  Violation violation{name_, place.line, place.column, place.key, std::move(problem)};
  if (violations_.size() == kMaxViolations) {
    violation = {name_, 0, 0, "", "has more violations than are shown here"};
  }
  // In the order of the file, whatever the order in which its keys are read and its rules judged.
  const auto after =
      std::upper_bound(violations_.begin(), violations_.end(), violation,
                       [](const Violation& a, const Violation& b) {
                         return std::tie(a.line, a.column) < std::tie(b.line, b.column);
                       });
  violations_.insert(after, std::move(violation));
}

void YamlFile::refuse(int line, int column, std::string problem) {
  add({line, column, ""}, std::move(problem));
}

void YamlFile::parse(const std::string& text) {
  if (text.size() > kMaxFileBytes) return refuse(0, 0, "is too large, at most 1 MiB is allowed");
  try {
    check_yaml_structure(text, *this);
    YAML::Node node = YAML::Load(text);
    if (node.IsNull()) return refuse(0, 0, "is empty, a mapping (key: value) is expected");
    if (!node.IsMap()) {
      return refuse(node.Mark().line + 1, node.Mark().column + 1,
                    "is no mapping at its top level, \"key: value\" lines are expected");
    }
    root_ = node;
    readable_ = true;
  } catch (const YAML::Exception& error) {
    refuse(error.mark.line + 1, error.mark.column + 1,
           "is not valid YAML: " + printable(error.msg));
  } catch (const std::exception& error) {  // the parser's own containers
    refuse(0, 0, std::string{"is not valid YAML: "} + printable(error.what()));
  }
}

}  // namespace penstock
