// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "net/replay/capture_reader.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace penstock {

// What an IP packet, or a fragment of one, carries. RFC 791, RFC 8200.
struct IpPacket {
  std::array<std::byte, 33> flow{};  // addresses and protocol: with `id`, what fragments share
  std::uint32_t id = 0;
  std::uint8_t protocol = 0;
  std::size_t offset = 0;  // of the payload within the whole, bytes
  bool more = false;       // fragments follow
  std::span<const std::byte> payload{};
  bool cut = false;  // the capture does not hold all of it

  [[nodiscard]] bool fragment() const noexcept { return more || offset != 0; }
};

// The IP packet in a captured record, through its link layer: Ethernet with any VLAN tags, raw IP,
// Linux cooked capture, BSD loopback. Nothing when there is none.
[[nodiscard]] std::optional<IpPacket> find_ip(const CaptureRecord& record) noexcept;

// RFC 768.
struct UdpDatagram {
  std::uint16_t port = 0;  // of the destination
  std::span<const std::byte> payload;
  std::size_t payload_bytes = 0;  // as its header says; more than payload.size() when it was cut
};

// The datagram that a whole IP payload holds. Nothing when it is none.
[[nodiscard]] std::optional<UdpDatagram> find_udp(std::span<const std::byte> ip_payload,
                                                  bool cut) noexcept;

inline constexpr std::uint8_t kUdpProtocol = 17;

}  // namespace penstock
