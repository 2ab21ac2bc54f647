// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#include "client/load_options.hpp"

#include "client/pattern.hpp"

#include <gtest/gtest.h>

#include <initializer_list>
#include <vector>

namespace penstock {
namespace {

ParsedLoadOptions parse(std::initializer_list<const char*> words) {
  std::vector<const char*> argv{"penstock-load"};
  argv.insert(argv.end(), words.begin(), words.end());
  return parse_load_options(static_cast<int>(argv.size()), argv.data());
}

TEST(HostPort, HasFourForms) {
  const auto read = [](const char* text) {
    SenderOptions to;
    return parse_host_port(text, to) ? to.host + "|" + std::to_string(to.port) : "no";
  };
  EXPECT_EQ(read("rig.local"), "rig.local|7470");
  EXPECT_EQ(read("10.0.0.1:80"), "10.0.0.1|80");
  EXPECT_EQ(read("[::1]:80"), "::1|80");
  EXPECT_EQ(read("[::1]"), "::1|7470");
  for (const char* const wrong :
       {"", ":80", "a:", "a:0", "a:65536", "a:8o", "::1", "[::1", "[::1]x", "[]:80", "a:80:90"}) {
    EXPECT_EQ(read(wrong), "no") << wrong;
  }
}

TEST(Size, IsBytesOrHasAUnit) {
  EXPECT_EQ(parse_size("4096"), 4096u);
  EXPECT_EQ(parse_size("4KiB"), 4096u);
  EXPECT_EQ(parse_size("4GiB"), 4ull << 30);
  for (const char* const wrong :
       {"", "KiB", "0", "5GiB", "4 MiB", "-1", "99999999999999999999", "4kb"}) {
    EXPECT_FALSE(parse_size(wrong)) << wrong;
  }
}

TEST(LoadOptions, RefuseWhatContradictsItself) {
  EXPECT_EQ(parse({"--streams", "0", "--to", "a"}).exit_code, 2);
  EXPECT_EQ(parse({}).exit_code, 2);
  EXPECT_EQ(parse({"--to", "a", "--rig", "x", "--replay", "y"}).exit_code, 2);
  EXPECT_EQ(parse({"--to", "a", "--pace", "fast"}).exit_code, 2);
  EXPECT_EQ(parse({"--help"}).exit_code, 0);
}

TEST(LoadOptions, ARigDropsAndSyntheticFramesWaitUnlessToldOtherwise) {
  EXPECT_EQ(parse({"--to", "a"}).options->on_no_credit, OnNoCredit::wait);
  EXPECT_EQ(parse({"--to", "a", "--rig", "x"}).options->on_no_credit, OnNoCredit::drop);
  EXPECT_EQ(parse({"--to", "a", "--rig", "x", "--on-no-credit", "wait"}).options->on_no_credit,
            OnNoCredit::wait);
}

TEST(LoadOptions, UseNoMoreConnectionsThanStreams) {
  EXPECT_EQ(parse({"--to", "a", "--streams", "2", "--connections", "5"}).options->connections, 2u);
}

TEST(Pattern, IsAFunctionOfStreamAndSequence) {
  const Pattern small{64};
  const Pattern large{100'000};

  for (std::uint64_t sequence : {0ull, 1ull, 77ull, 1ull << 40}) {
    const auto a = small.frame(3, sequence, 64);
    const auto b = large.frame(3, sequence, 64);
    EXPECT_TRUE(std::equal(a.begin(), a.end(), b.begin()));
    const auto other = small.frame(4, sequence, 64);
    EXPECT_FALSE(std::equal(a.begin(), a.end(), other.begin()));
  }
}

}  // namespace
}  // namespace penstock
