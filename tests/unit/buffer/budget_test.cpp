// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#include "buffer/budget.hpp"

#include "base/error.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace penstock {
namespace {

using testing::HasSubstr;

constexpr std::uint64_t kMiB = 1u << 20;
constexpr std::uint64_t kGiB = 1u << 30;

HostLimits machine(std::uint64_t ram, std::uint64_t memlock, bool may_exceed = false) {
  return {ram, false, memlock, may_exceed};
}

std::string refusal(std::uint64_t configured, const HostLimits& host, bool locks_pages = true) {
  try {
    (void)find_pinned_limit(configured, host, locks_pages);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Errc::limit_exceeded);
    return error.what();
  }
  return "";
}

TEST(PinnedLimit, WithoutALimitOfItsOwnItIsAQuarterOfRam) {
  const PinnedLimit limit = find_pinned_limit({}, machine(8 * kGiB, kNoLimit), true);

  EXPECT_EQ(limit.bytes, 2 * kGiB);
  EXPECT_EQ(limit.source, "a quarter of 8.0 GiB RAM");
  EXPECT_EQ(limit.remedy, "set memory.pinned_limit to more");
}

TEST(PinnedLimit, RlimitMemlockCountsWhereItBindsAndIsSmaller) {
  const auto source = [](const HostLimits& host, bool locks_pages) {
    return find_pinned_limit({}, host, locks_pages).source;
  };

  EXPECT_EQ(source(machine(8 * kGiB, 8 * kMiB), true), "RLIMIT_MEMLOCK");
  EXPECT_EQ(find_pinned_limit({}, machine(8 * kGiB, 8 * kMiB), true).bytes, 8 * kMiB);
  EXPECT_EQ(find_pinned_limit({}, machine(8 * kGiB, 8 * kMiB), true).remedy, memlock_remedies());
  EXPECT_THAT(source(machine(8 * kGiB, 8 * kMiB), false), HasSubstr("quarter"));
  EXPECT_THAT(source(machine(8 * kGiB, 8 * kMiB, true), true), HasSubstr("quarter"));
  EXPECT_THAT(source(machine(8 * kGiB, 4 * kGiB), true), HasSubstr("quarter"));
  EXPECT_EQ(source({kGiB, true, kNoLimit, false}, true),
            "a quarter of 1.0 GiB RAM (the cgroup's memory limit)");
}

TEST(PinnedLimit, AnExplicitLimitHoldsUpToWhatTheMachineAllows) {
  const HostLimits host = machine(8 * kGiB, 64 * kMiB);

  EXPECT_EQ(find_pinned_limit(64 * kMiB, host, true).bytes, 64 * kMiB);
  EXPECT_EQ(find_pinned_limit(64 * kMiB, host, true).source, "memory.pinned_limit");
  EXPECT_EQ(
      refusal(256 * kMiB, host),
      "memory.pinned_limit is 256.0 MiB, more than RLIMIT_MEMLOCK, 64.0 MiB: limit exceeded (" +
          memlock_remedies() + ")");
  EXPECT_EQ(refusal(256 * kMiB, host, false), "");
  EXPECT_EQ(refusal(8 * kGiB, host, false), "");
  EXPECT_EQ(refusal(9 * kGiB, host, false),
            "memory.pinned_limit is 9.0 GiB, more than the machine's 8.0 GiB RAM: limit exceeded "
            "(lower memory.pinned_limit, or give the machine or the container more memory)");
}

TEST(PinnedLimit, TheRemediesNameEveryPlaceWhereAServerRuns) {
  for (const char* word : {"ulimit -l unlimited", "LimitMEMLOCK=infinity", "--ulimit memlock=-1",
                           "Kubernetes", "IPC_LOCK"}) {
    EXPECT_THAT(memlock_remedies(), HasSubstr(word));
  }
}

TEST(Budget, BooksByOwnerAndGivesBack) {
  Budget budget{{100, "memory.pinned_limit", ""}};

  EXPECT_TRUE(budget.reserve({{"a", 40}, {"b", 30}}));
  EXPECT_TRUE(budget.reserve({{"a", 30}}));
  EXPECT_EQ(budget.used(), 100u);
  ASSERT_EQ(budget.shares().size(), 2u);
  EXPECT_EQ(budget.shares()[0].owner, "a");
  EXPECT_EQ(budget.shares()[0].bytes, 70u);

  budget.release("a");
  budget.release("nobody");
  EXPECT_EQ(budget.used(), 30u);
}

TEST(Budget, ARefusalIsTheSumWrittenOutAndBooksNothing) {
  Budget budget{{64 * kMiB, "memory.pinned_limit", ""}};
  ASSERT_TRUE(budget.reserve({{"lidar_top", 3 * kMiB + kMiB / 8}}));

  const auto refused = budget.reserve({{"imu", 1024}, {"camera", 66 * kMiB}});

  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error(),
            "camera 66.0 MiB + lidar_top 3.1 MiB + imu 1.0 KiB = 69.1 MiB, limit 64.0 MiB "
            "(memory.pinned_limit), 5.1 MiB too much");
  EXPECT_EQ(budget.used(), 3 * kMiB + kMiB / 8);
}

TEST(Budget, ManyOwnersAndHugeSumsAreRefusedInOneShortLine) {
  Budget budget{{100, "RLIMIT_MEMLOCK", ""}};
  std::vector<Budget::Share> shares;
  for (int i = 0; i < 20; ++i) shares.push_back({"s" + std::to_string(i), 10});

  EXPECT_THAT(budget.reserve(shares).error(), HasSubstr(" + 4 others 40 B = 200 B, limit 100 B"));
  EXPECT_FALSE(budget.reserve({{"a", kNoLimit}, {"b", kNoLimit}}));
  EXPECT_EQ(budget.used(), 0u);
}

}  // namespace
}  // namespace penstock
