// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#include "net/replay/packet.hpp"

#include <algorithm>

namespace penstock {
namespace {

using Bytes = std::span<const std::byte>;

std::uint32_t u8(Bytes bytes, std::size_t at) noexcept {
  return static_cast<std::uint32_t>(bytes[at]);
}
std::uint32_t u16(Bytes bytes, std::size_t at) noexcept {  // network byte order
  return u8(bytes, at) << 8 | u8(bytes, at + 1);
}
std::uint32_t u32(Bytes bytes, std::size_t at) noexcept {
  return u16(bytes, at) << 16 | u16(bytes, at + 2);
}

constexpr std::uint32_t kIpv4Type = 0x0800;
constexpr std::uint32_t kIpv6Type = 0x86DD;

bool is_vlan(std::uint32_t type) noexcept {
  return type == 0x8100 || type == 0x88A8 || type == 0x9100;
}

// What follows a link header of `head` bytes whose type field, at `type_at`, may be a VLAN tag.
std::optional<Bytes> behind_ethertype(Bytes data, std::size_t type_at, std::size_t head) noexcept {
  if (data.size() < head) return std::nullopt;
  std::uint32_t type = u16(data, type_at);
  while (is_vlan(type)) {
    if (data.size() < head + 4) return std::nullopt;
    type = u16(data, head + 2);
    head += 4;
  }
  if (type != kIpv4Type && type != kIpv6Type) return std::nullopt;
  return data.subspan(head);
}

std::optional<Bytes> behind_link(const CaptureRecord& record) noexcept {
  const Bytes data = record.data;
  switch (record.link_type) {
    case 0:    // NULL: four bytes of an address family, whose number differs between systems
    case 108:  // LOOP
      if (data.size() < 4) return std::nullopt;
      return data.subspan(4);
    case 1:  // EN10MB
      return behind_ethertype(data, 12, 14);
    case 12:  // RAW, as some systems number it
    case 14:
    case 101:  // RAW
    case 228:  // IPV4
    case 229:  // IPV6
      return data;
    case 113:  // LINUX_SLL
      return behind_ethertype(data, 14, 16);
    case 276:  // LINUX_SLL2
      return behind_ethertype(data, 0, 20);
    default:
      return std::nullopt;
  }
}

std::optional<IpPacket> ipv4(Bytes data) noexcept {
  if (data.size() < 20) return std::nullopt;
  const std::size_t head = 4 * (u8(data, 0) & 15);
  const std::size_t total = u16(data, 2);
  if (head < 20 || total < head || data.size() < head) return std::nullopt;
  const std::uint32_t flags = u16(data, 6);
  IpPacket packet{.id = u16(data, 4),
                  .protocol = static_cast<std::uint8_t>(u8(data, 9)),
                  .offset = 8 * std::size_t{flags & 0x1FFF},
                  .more = (flags & 0x2000) != 0,
                  .payload = data.subspan(head, std::min(total, data.size()) - head),
                  .cut = data.size() < total};
  packet.flow[0] = data[9];
  std::copy_n(data.begin() + 12, 8, packet.flow.begin() + 1);
  return packet;
}

bool is_extension(std::uint32_t next) noexcept {
  return next == 0 || next == 43 || next == 60 || next == 135;
}

std::optional<IpPacket> ipv6(Bytes data) noexcept {
  constexpr std::size_t kHead = 40;
  constexpr std::uint32_t kFragment = 44;
  if (data.size() < kHead) return std::nullopt;
  const std::size_t total = kHead + u16(data, 4);
  IpPacket packet{.cut = data.size() < total};
  const Bytes all = data.first(std::min(total, data.size()));
  std::size_t at = kHead;
  std::uint32_t next = u8(data, 6);
  while (is_extension(next) || next == kFragment) {
    if (all.size() < at + 8) return std::nullopt;
    if (next == kFragment) {
      const std::uint32_t where = u16(all, at + 2);
      packet.offset = where & 0xFFF8;
      packet.more = (where & 1) != 0;
      packet.id = u32(all, at + 4);
      next = u8(all, at);
      at += 8;
      break;  // what follows belongs to the fragmented part
    }
    const std::size_t length = 8 + 8 * std::size_t{u8(all, at + 1)};
    next = u8(all, at);
    at += length;
    if (all.size() < at) return std::nullopt;
  }
  packet.protocol = static_cast<std::uint8_t>(next);
  packet.payload = all.subspan(at);
  packet.flow[0] = static_cast<std::byte>(next);
  std::copy_n(data.begin() + 8, 32, packet.flow.begin() + 1);
  return packet;
}

}  // namespace

std::optional<IpPacket> find_ip(const CaptureRecord& record) noexcept {
  const auto data = behind_link(record);
  if (!data || data->empty()) return std::nullopt;
  switch (u8(*data, 0) >> 4) {
    case 4:
      return ipv4(*data);
    case 6:
      return ipv6(*data);
    default:
      return std::nullopt;
  }
}

std::optional<UdpDatagram> find_udp(Bytes ip_payload, bool cut) noexcept {
  constexpr std::size_t kHead = 8;
  if (ip_payload.size() < kHead) return std::nullopt;
  std::size_t length = u16(ip_payload, 4);
  if (length == 0) length = ip_payload.size();  // a jumbogram, or a segment not yet cut up
  if (length < kHead || (length > ip_payload.size() && !cut)) return std::nullopt;
  return UdpDatagram{
      .port = static_cast<std::uint16_t>(u16(ip_payload, 2)),
      .payload = ip_payload.subspan(kHead, std::min(length, ip_payload.size()) - kHead),
      .payload_bytes = length - kHead};
}

}  // namespace penstock
