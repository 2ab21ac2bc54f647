// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "net/replay/packet.hpp"

#include <bitset>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

namespace penstock {

// Puts IP fragments together: IPv4 (RFC 791) and IPv6 (RFC 8200), in any order, with duplicates.
// Fragments that overlap and differ, reach beyond 64 KiB or never become whole are given up.
//
// Thread: one. Cost: at most 64 packets in the making, 64 KiB each, taken at first need and kept.
class Fragments {
 public:
  // Told of each packet that was given up, with its UDP destination port where that is known.
  using OnBroken = std::function<void(std::optional<std::uint16_t> port, std::size_t bytes)>;
  explicit Fragments(OnBroken on_broken) : on_broken_{std::move(on_broken)} {}

  // The whole payload when this fragment was the last that was missing; valid until the next call.
  // `time_ns`: when it was captured; what has waited for 30 s is given up.
  [[nodiscard]] std::optional<std::span<const std::byte>> add(const IpPacket& fragment,
                                                              std::int64_t time_ns);

  // Gives up everything that is not whole.
  void give_up_all();

 private:
  static constexpr std::size_t kMostBytes = 65536;
  static constexpr std::size_t kUnit = 8;  // fragments begin at multiples of it

  struct Packet {
    bool used = false;
    bool broken = false;  // told already; its further fragments are swallowed
    std::array<std::byte, 33> flow{};
    std::uint32_t id = 0;
    std::int64_t since_ns = 0;
    std::size_t total = 0;  // 0: the last fragment has not come
    std::size_t have = 0;
    std::bitset<kMostBytes / kUnit> units;
    std::vector<std::byte> bytes;
  };

  [[nodiscard]] Packet& find_or_begin(const IpPacket& fragment, std::int64_t time_ns);
  [[nodiscard]] static bool place(Packet& packet, const IpPacket& fragment);
  void give_up(Packet& packet);

  OnBroken on_broken_;
  std::vector<Packet> packets_;
};

}  // namespace penstock
