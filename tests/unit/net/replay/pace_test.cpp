// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#include "net/replay/pace.hpp"

#include <gtest/gtest.h>

namespace penstock {
namespace {

constexpr std::int64_t kSecond = 1'000'000'000;

TEST(Pace, ReadsItsThreeForms) {
  EXPECT_EQ(parse_pace("recorded")->factor, 1.0);
  EXPECT_EQ(parse_pace("max")->factor, 0.0);
  EXPECT_EQ(parse_pace("2.5x")->factor, 2.5);
  for (const char* const wrong :
       {"", "x", "2", "0x", "-1x", "2xx", "1e9x", "nanx", "fast", " 2x"}) {
    EXPECT_FALSE(parse_pace(wrong)) << wrong;
  }
}

TEST(Pacer, KeepsTheRecordedDistances) {
  Pacer pacer{{.factor = 2.0}};

  EXPECT_EQ(pacer.due_ns(100 * kSecond, 7), 7);
  EXPECT_EQ(pacer.due_ns(101 * kSecond, 8), 7 + kSecond / 2);
  EXPECT_EQ(pacer.due_ns(104 * kSecond, 9), 7 + 2 * kSecond);
}

TEST(Pacer, IsNotHeldUpByAClockThatJumps) {
  Pacer pacer{{.factor = 1.0}};
  (void)pacer.due_ns(100 * kSecond, 0);

  EXPECT_EQ(pacer.due_ns(9999 * kSecond, 50), 50);
  EXPECT_EQ(pacer.due_ns(5 * kSecond, 60), 60);
  EXPECT_EQ(pacer.due_ns(6 * kSecond, 61), 60 + kSecond);
}

TEST(Pacer, NeverWaitsAtFullSpeed) {
  Pacer pacer{{.factor = 0.0}};

  EXPECT_EQ(pacer.due_ns(100 * kSecond, 5), 5);
  EXPECT_EQ(pacer.due_ns(999 * kSecond, 6), 6);
}

}  // namespace
}  // namespace penstock
