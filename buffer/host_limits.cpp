// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#include "buffer/host_limits.hpp"

#include <sys/resource.h>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <optional>
#include <sstream>
#include <string_view>
#include <system_error>

namespace penstock {
namespace {

constexpr unsigned kCapIpcLock = 14;  // linux/capability.h

// The number at the start of the file; "max" and what is no number are nothing.
std::optional<std::uint64_t> number_in(const std::string& path) {
  std::ifstream file{path};
  std::string word;
  file >> word;
  std::uint64_t number = 0;
  const auto result = std::from_chars(word.data(), word.data() + word.size(), number);
  if (result.ec != std::errc{} || result.ptr != word.data() + word.size()) return std::nullopt;
  return number;
}

// The word after `name` in a file of "name: word" lines.
std::string field_in(const std::string& path, std::string_view name) {
  std::ifstream file{path};
  std::string line;
  while (std::getline(file, line)) {
    std::istringstream words{line};
    std::string first;
    std::string second;
    words >> first >> second;
    if (first == name) return second;
  }
  return {};
}

// The lowest limit of a cgroup and of those around it. Inside a container the path that the OS
// tells may not exist, and the container's own limit then stands at the mount's root: the loop ends
// there in any case.
std::uint64_t lowest_limit(const std::string& mount, std::string group, const std::string& file) {
  std::uint64_t lowest = kNoLimit;
  while (true) {
    std::string path = mount;
    path.append(group).append("/").append(file);
    if (const auto limit = number_in(path)) lowest = std::min(lowest, *limit);
    if (group.empty()) return lowest;
    const std::size_t parent = group.rfind('/');
    group.resize(parent == std::string::npos ? 0 : parent);
  }
}

std::uint64_t cgroup_limit(const std::string& root) {
  std::uint64_t lowest = kNoLimit;
  std::ifstream groups{root + "/proc/self/cgroup"};
  std::string line;
  while (std::getline(groups, line)) {  // "0::/path" (v2) or "9:memory:/path" (v1)
    const std::size_t first = line.find(':');
    const std::size_t second = first == std::string::npos ? first : line.find(':', first + 1);
    if (second == std::string::npos) continue;
    const std::string controllers = "," + line.substr(first + 1, second - first - 1) + ",";
    std::string group = line.substr(second + 1);
    if (group == "/") group.clear();
    if (group.find("..") != std::string::npos) group.clear();  // outside of our cgroup namespace
    if (controllers == ",,") {
      lowest = std::min(lowest, lowest_limit(root + "/sys/fs/cgroup", group, "memory.max"));
    } else if (controllers.find(",memory,") != std::string::npos) {
      lowest = std::min(
          lowest, lowest_limit(root + "/sys/fs/cgroup/memory", group, "memory.limit_in_bytes"));
    }
  }
  return lowest;
}

// The OS asks for the capability in the first user namespace. A rootless container has it in its
// own, where it does not count.
bool may_exceed_memlock(const std::string& root) {
  const std::string effective = field_in(root + "/proc/self/status", "CapEff:");
  std::uint64_t bits = 0;
  const char* const end = effective.data() + effective.size();
  if (std::from_chars(effective.data(), end, bits, 16).ec != std::errc{}) return false;
  std::ifstream map{root + "/proc/self/uid_map"};
  std::uint64_t inside = 1;
  std::uint64_t outside = 1;
  std::uint64_t count = 0;
  map >> inside >> outside >> count;
  const bool first_namespace = inside == 0 && outside == 0 && count == 0xffff'ffff;
  return first_namespace && ((bits >> kCapIpcLock) & 1) != 0;
}

}  // namespace

HostLimits read_host_limits(const std::string& root) {
  HostLimits limits;
  const std::string total = field_in(root + "/proc/meminfo", "MemTotal:");
  std::uint64_t kibibytes = 0;
  if (std::from_chars(total.data(), total.data() + total.size(), kibibytes).ec == std::errc{}) {
    limits.ram_bytes = kibibytes * 1024;
  }
  if (const std::uint64_t cgroup = cgroup_limit(root); cgroup < limits.ram_bytes) {
    limits.ram_bytes = cgroup;
    limits.ram_is_cgroup = true;
  }
  rlimit memlock{};
  if (::getrlimit(RLIMIT_MEMLOCK, &memlock) == 0 && memlock.rlim_cur != RLIM_INFINITY) {
    limits.memlock_bytes = memlock.rlim_cur;
  }
  limits.may_exceed_memlock = may_exceed_memlock(root);
  return limits;
}

}  // namespace penstock
