// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/device.hpp"
#include "net/wire/stream_kind.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace penstock {

// What the operator may set: plain data and defaults. config_file.hpp reads it, validate() in
// config_rules.hpp judges it, and nothing else knows about the file format. A Config that has
// passed is never changed again.

struct UdpConfig {
  std::string address = "0.0.0.0";  // local address to bind, IPv4 or IPv6
  std::uint16_t port = 0;
  std::uint16_t position_port = 8308;  // velodyne: where its position packets go; 0: not received
};

struct StreamConfig {
  std::string name{};
  StreamKind format = StreamKind::raw;
  std::optional<UdpConfig> udp{};  // absent: a native client sends it
  std::uint32_t width = 0;         // images
  std::uint32_t height = 0;
  std::uint32_t slots = 0;      // 0: chosen by the server
  bool deliver_partial = true;  // partial: deliver | drop
  bool checksum = false;        // also sum every payload on the device
};

struct ListenConfig {
  std::string address = "0.0.0.0";  // "[::]" and "::" take IPv4 clients too
  std::uint16_t port = 7470;
  bool declared_only = false;           // streams: any | declared
  std::optional<std::uint64_t> memory;  // bytes set aside for streams that clients open
};

struct MemoryConfig {
  std::optional<std::uint64_t> pinned_limit;  // bytes; default in buffer/budget.hpp
  bool lock = true;                           // host device: lock the pages (mlock)
};

struct Config {
  DeviceChoice device;
  MemoryConfig memory;
  std::optional<ListenConfig> listen;
  std::vector<StreamConfig> streams;
};

}  // namespace penstock
