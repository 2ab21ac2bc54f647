// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#include "base/yaml_reader.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <string>
#include <vector>

namespace penstock {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::vector<std::string> texts(const YamlFile& file) {
  std::vector<std::string> lines;
  for (const Violation& violation : file.violations()) lines.push_back(violation.text());
  return lines;
}

TEST(YamlReader, ReadsEachTypeOfValue) {
  YamlFile file{"a.yaml", "t: word\nb: true\ni: 42\nn: 2.5\ns: 64KiB\nc: two\nm: {x: 1}\n"};

  YamlMap root = file.root();
  EXPECT_EQ(root.text("t"), "word");
  EXPECT_EQ(root.boolean("b"), true);
  EXPECT_EQ(root.integer("i", 0, 100), 42u);
  EXPECT_EQ(root.number("n", 0, 3), 2.5);
  EXPECT_EQ(root.size("s"), 65536u);
  EXPECT_EQ(root.choice("c", {"one", "two"}), 1u);
  auto map = root.map("m");
  ASSERT_TRUE(map);
  EXPECT_EQ(map->integer("x", 0, 1), 1u);
  map->finish();
  root.finish();

  EXPECT_TRUE(file.readable());
  EXPECT_THAT(texts(file), IsEmpty());
}

TEST(YamlReader, AnAbsentKeyIsNoViolation) {
  YamlFile file{"a.yaml", "x: 1\n"};

  YamlMap root = file.root();
  EXPECT_FALSE(root.has("y"));
  EXPECT_EQ(root.text("y"), std::nullopt);
  EXPECT_FALSE(root.map("y"));
  EXPECT_THAT(root.list_of_maps("y"), IsEmpty());

  EXPECT_THAT(texts(file), IsEmpty());
}

TEST(YamlReader, NotesEveryBadValueInTheOrderOfTheFile) {
  YamlFile file{"a.yaml",
                "t: [1]\nb: yes\ni: 70000\nj: -1\nk: 99999999999999999999\nn: nan\ns: 4 potatoes\n"
                "c: cdua\nm: 3\nl: {}\no: 010\nz: 99999999TiB\nnone:\n"};

  YamlMap root = file.root();
  root.size("z");
  root.text("none");
  root.text("t");
  root.boolean("b");
  root.integer("i", 1, 65535);
  root.integer("j", 1, 65535);
  root.integer("k", 1, 65535);
  root.number("n", 0.5, 10);
  root.size("s");
  root.choice("c", {"host", "cuda"});
  root.map("m");
  root.list_of_maps("l");
  root.integer("o", 0, 100);

  EXPECT_THAT(
      texts(file),
      ElementsAre(
          "a.yaml:1:4 t: is a list, expected is text",
          "a.yaml:2:4 b: is \"yes\", allowed are true and false",
          "a.yaml:3:4 i: is 70000, allowed is 1 to 65535",
          "a.yaml:4:4 j: is \"-1\", allowed are whole numbers from 1 to 65535",
          "a.yaml:5:4 k: is 99999999999999999999, allowed is 1 to 65535",
          "a.yaml:6:4 n: is \"nan\", allowed are numbers from 0.5 to 10",
          "a.yaml:7:4 s: is \"4 potatoes\", allowed are whole numbers with or without a unit (B, "
          "KiB, MiB, GiB, TiB, kB, MB, GB, TB)",
          "a.yaml:8:4 c: is \"cdua\" (did you mean \"cuda\"?), allowed are host, cuda",
          "a.yaml:9:4 m: is no mapping, expected is {key: value}",
          "a.yaml:10:4 l: is no list, expected is a list of mappings",
          "a.yaml:11:4 o: is \"010\", allowed are whole numbers from 0 to 100",
          "a.yaml:12:4 z: is \"99999999TiB\", allowed is less than 2^64 bytes",
          "a.yaml:13:1 none: has no value, expected is text"));
}

TEST(YamlReader, AnUnknownKeyIsAViolationThatSuggestsTheNearest) {
  YamlFile file{"a.yaml", "list:\n  - {prot: 1, port: 2, unlike: 3}\n  - 4\n"};

  YamlMap root = file.root();
  auto maps = root.list_of_maps("list");
  ASSERT_EQ(maps.size(), 1u);
  maps[0].integer("port", 0, 10);
  maps[0].text("address");
  maps[0].finish();

  EXPECT_THAT(texts(file),
              ElementsAre("a.yaml:2:6 list[0].prot: unknown key (did you mean \"port\"?), allowed "
                          "are port, address",
                          "a.yaml:2:24 list[0].unlike: unknown key, allowed are port, address",
                          "a.yaml:3:5 list[1]: is no mapping, expected is {key: value}"));
}

TEST(YamlReader, DuplicateAndComplexKeysAreViolations) {
  YamlFile file{"a.yaml", "a: 1\nl:\n  - {}\n  - {x: {y: 1, y: 2}}\na: 2\n? [k]\n: 3\n"};

  EXPECT_THAT(
      texts(file),
      ElementsAre("a.yaml:4:16 l[1].x.y: stands here a second time, each key is allowed once",
                  "a.yaml:5:1 a: stands here a second time, each key is allowed once",
                  "a.yaml:6:3 ?: a key must be plain text"));
}

TEST(YamlReader, WhatIsNoMappingIsOneViolationAndAnEmptyRoot) {
  const std::vector<std::pair<std::string, std::string>> cases{
      {"", "a.yaml: is empty, a mapping (key: value) is expected"},
      {"# nothing\n", "a.yaml: is empty, a mapping (key: value) is expected"},
      {"- 1\n", "a.yaml:1:1: is no mapping at its top level, \"key: value\" lines are expected"},
      {"word", "a.yaml:1:1: is no mapping at its top level, \"key: value\" lines are expected"},
      {"a: 1\n---\nb: 2\n",
       "a.yaml:2:1: is not valid YAML: a second document begins here, one is allowed"},
      {"a: [1, 2\n", "a.yaml:2:1: is not valid YAML: end of sequence flow not found"},
  };
  for (const auto& [text, expected] : cases) {
    YamlFile file{"a.yaml", text};
    EXPECT_THAT(texts(file), ElementsAre(expected)) << text;
    EXPECT_FALSE(file.readable());
    EXPECT_FALSE(file.root().has("a"));
  }
}

TEST(YamlReader, AFileThatCannotBeReadIsAViolation) {
  YamlFile missing{std::string{"/nonexistent/a.yaml"}};
  YamlFile directory{std::string{"/"}};

  EXPECT_THAT(texts(missing),
              ElementsAre("/nonexistent/a.yaml: cannot be read: No such file or directory"));
  EXPECT_THAT(texts(directory), ElementsAre("/: cannot be read: Is a directory"));
}

TEST(YamlReader, DepthSizeAliasesAndViolationsAreBounded) {
  const auto only = [](const std::string& text) {
    const YamlFile file{"a.yaml", text};
    std::string problems;
    for (const Violation& violation : file.violations()) problems += violation.problem + "\n";
    return problems;
  };
  std::string aliases = "a: &a 1\nl: [";
  for (int i = 0; i < 1001; ++i) aliases += "*a,";
  std::string duplicates;
  for (int i = 0; i < 3000; ++i) duplicates += "a: 1\n";

  EXPECT_THAT(only("a: " + std::string(100'000, '[')),
              HasSubstr("nested too deep, at most 32 levels"));
  EXPECT_THAT(only("a: " + std::string(31, '[') + std::string(31, ']')), IsEmpty());
  EXPECT_THAT(only("a: " + std::string(32, '[') + std::string(32, ']')), HasSubstr("too deep"));
  EXPECT_THAT(only(aliases + "]"), HasSubstr("too many aliases, at most 1000"));
  EXPECT_THAT(only(std::string((1u << 20) + 1, ' ')), "is too large, at most 1 MiB is allowed\n");
  YamlFile many{"a.yaml", duplicates};
  EXPECT_EQ(many.violations().size(), 1001u);
  EXPECT_EQ(many.violations()[0].problem, "has more violations than are shown here");
}

TEST(YamlReader, AnAliasInsideItsOwnAnchorEndsAndIsSeenOnce) {
  YamlFile file{"a.yaml", "l: &l [*l, {x: 1}]\n"};

  EXPECT_EQ(file.root().list_of_maps("l").size(), 1u);
  EXPECT_THAT(texts(file), ElementsAre(HasSubstr("l[0]: is no mapping")));
}

TEST(YamlReader, ControlCharactersDoNotReachTheMessage) {
  YamlFile file{"a.yaml", "\"a\\n\\x1b[31m\": 1\n"};

  file.root().finish();

  EXPECT_THAT(texts(file), ElementsAre("a.yaml:1:1 a??[31m: unknown key"));
}

}  // namespace
}  // namespace penstock
