// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#include "buffer/host_limits.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

namespace penstock {
namespace {

namespace fs = std::filesystem;

// A machine whose /proc and /sys are files of the test.
class FakeMachine {
 public:
  FakeMachine() {
    std::string pattern = fs::temp_directory_path() / "penstock-host-XXXXXX";
    root_ = ::mkdtemp(pattern.data());
    write("/proc/meminfo", "MemTotal:       16777216 kB\nMemFree: 1 kB\n");
    write("/proc/self/uid_map", "         0          0 4294967295\n");
    write("/proc/self/status", "Name: x\nCapEff:\t0000000000000000\n");
  }
  ~FakeMachine() { fs::remove_all(root_); }

  void write(const std::string& path, const std::string& text) const {
    fs::create_directories(fs::path{root_ + path}.parent_path());
    std::ofstream{root_ + path} << text;
  }
  [[nodiscard]] HostLimits limits() const { return read_host_limits(root_); }

 private:
  std::string root_;
};

constexpr std::uint64_t kGiB = 1u << 30;

TEST(HostLimits, RamIsWhatTheMachineHas) {
  const FakeMachine machine;

  EXPECT_EQ(machine.limits().ram_bytes, 16 * kGiB);
  EXPECT_FALSE(machine.limits().ram_is_cgroup);
}

TEST(HostLimits, ALowerLimitOfACgroupCountsAsRam) {
  const FakeMachine machine;
  machine.write("/proc/self/cgroup", "0::/outer/inner\n");
  machine.write("/sys/fs/cgroup/outer/inner/memory.max", "max\n");
  machine.write("/sys/fs/cgroup/outer/memory.max", "1073741824\n");

  EXPECT_EQ(machine.limits().ram_bytes, kGiB);
  EXPECT_TRUE(machine.limits().ram_is_cgroup);
}

TEST(HostLimits, TheLimitOfAContainerStandsAtTheRootOfTheMount) {
  const FakeMachine second;
  second.write("/proc/self/cgroup", "0::/\n");
  second.write("/sys/fs/cgroup/memory.max", "2147483648\n");
  const FakeMachine first;
  first.write("/proc/self/cgroup", "5:cpu,cpuacct:/x\n4:memory:/docker/0123\n");
  first.write("/sys/fs/cgroup/memory/memory.limit_in_bytes", "3221225472\n");

  EXPECT_EQ(second.limits().ram_bytes, 2 * kGiB);
  EXPECT_EQ(first.limits().ram_bytes, 3 * kGiB);
}

TEST(HostLimits, AVersion1LimitThatMeansNoneIsNone) {
  const FakeMachine machine;
  machine.write("/proc/self/cgroup", "4:memory:/\n");
  machine.write("/sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");

  EXPECT_FALSE(machine.limits().ram_is_cgroup);
}

TEST(HostLimits, TheCapabilityCountsInTheFirstUserNamespaceOnly) {
  const FakeMachine machine;
  EXPECT_FALSE(machine.limits().may_exceed_memlock);

  machine.write("/proc/self/status", "CapEff:\t0000000000004000\n");
  EXPECT_TRUE(machine.limits().may_exceed_memlock);

  machine.write("/proc/self/uid_map", "         0       1000          1\n");
  EXPECT_FALSE(machine.limits().may_exceed_memlock);
}

TEST(HostLimits, WhatCannotBeReadIsNoLimit) {
  const HostLimits limits = read_host_limits("/nonexistent");

  EXPECT_EQ(limits.ram_bytes, kNoLimit);
  EXPECT_FALSE(limits.may_exceed_memlock);
}

}  // namespace
}  // namespace penstock
