// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#include "server/config_options.hpp"

#include "server/config_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace penstock {
namespace {

using testing::HasSubstr;

std::string documentation() {
  std::ifstream file{PENSTOCK_SOURCE_DIR "/docs/configuration.md"};
  return {std::istreambuf_iterator<char>{file}, {}};
}

// The keys of the options table right below `parent`, in its order, as a message lists them.
std::string keys_below(const std::string& parent) {
  std::string keys;
  for (const ConfigOption& option : config_options()) {
    if (option.key.substr(0, parent.size()) != parent) continue;
    const std::string_view rest = option.key.substr(parent.size());
    if (rest.find('.') != std::string_view::npos) continue;
    keys += (keys.empty() ? "" : ", ") + std::string{rest};
  }
  return keys;
}

TEST(ConfigOptions, TheParserReadsTheKeysOfTheTableAndNoOthers) {
  const LoadedConfig loaded =
      parse_config("rig.yaml",
                   "zz: 1\nmemory: {zz: 1}\nlisten: {tcp: 0.0.0.0:1, zz: 1}\n"
                   "streams: [{zz: 1, name: a, format: velodyne_vlp16, udp: "
                   "{zz: 1, port: 1}}]\n");

  std::vector<std::string> problems;
  for (const Violation& violation : loaded.violations) problems.push_back(violation.problem);
  EXPECT_THAT(problems,
              testing::ElementsAre(HasSubstr("allowed are " + keys_below("")),
                                   HasSubstr("allowed are " + keys_below("memory.")),
                                   HasSubstr("allowed are " + keys_below("listen.")),
                                   HasSubstr("allowed are " + keys_below("streams[].")),
                                   HasSubstr("allowed are " + keys_below("streams[].udp."))));
}

TEST(ConfigOptions, TheDocumentationAndTheHelpHoldEveryRowOfTheTable) {
  const std::string page = documentation();
  const std::string help = config_help();

  for (const ConfigOption& option : config_options()) {
    std::string row = "| `" + std::string{option.key} + "` ";
    for (const std::string_view cell : {option.type, option.preset, option.allowed, option.text}) {
      row.append("| ").append(cell).append(cell.empty() ? "" : " ");
    }
    EXPECT_THAT(page, HasSubstr(row + "|\n"));
    EXPECT_THAT(help, HasSubstr(std::string{option.key} + " (" + std::string{option.type} + ")\n"));
    EXPECT_THAT(help, HasSubstr(std::string{option.text}));
  }
}

}  // namespace
}  // namespace penstock
