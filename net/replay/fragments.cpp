// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#include "net/replay/fragments.hpp"

#include <algorithm>
#include <cassert>
#include <cstring>

namespace penstock {
namespace {

constexpr std::size_t kMostPackets = 64;
constexpr std::int64_t kPatienceNs = 30'000'000'000;

}  // namespace

Fragments::Packet& Fragments::find_or_begin(const IpPacket& fragment, std::int64_t time_ns) {
  Packet* free = nullptr;
  Packet* oldest = nullptr;
  for (Packet& packet : packets_) {
    if (packet.used && time_ns - packet.since_ns > kPatienceNs) give_up(packet);
    if (!packet.used) {
      free = &packet;
    } else if (packet.flow == fragment.flow && packet.id == fragment.id) {
      return packet;
    } else if (oldest == nullptr || packet.since_ns < oldest->since_ns) {
      oldest = &packet;
    }
  }
  if (free == nullptr && packets_.size() < kMostPackets) free = &packets_.emplace_back();
  if (free == nullptr) {
    assert(oldest != nullptr);  // all are in use
    give_up(*oldest);
    free = oldest;
  }
  free->used = true;
  free->broken = false;
  free->flow = fragment.flow;
  free->id = fragment.id;
  free->since_ns = time_ns;
  free->total = free->have = 0;
  free->units.reset();
  free->bytes.resize(kMostBytes);
  return *free;
}

// False when the fragment contradicts what is there.
bool Fragments::place(Packet& packet, const IpPacket& fragment) {
  const std::size_t end = fragment.offset + fragment.payload.size();
  if (fragment.payload.empty() || fragment.cut || end > kMostBytes - 1) return false;
  if (fragment.more && fragment.payload.size() % kUnit != 0) return false;
  if (!fragment.more && packet.total != 0 && packet.total != end) return false;
  if (packet.total != 0 && end > packet.total) return false;
  const std::size_t first = fragment.offset / kUnit;
  const std::size_t last = (end + kUnit - 1) / kUnit;
  std::size_t known = 0;
  for (std::size_t unit = first; unit < last; ++unit) known += packet.units[unit] ? 1U : 0U;
  std::byte* const to = packet.bytes.data() + fragment.offset;
  if (known != 0) {  // a duplicate is harmless; anything else is an overlap
    return known == last - first &&
           std::memcmp(to, fragment.payload.data(), fragment.payload.size()) == 0;
  }
  std::memcpy(to, fragment.payload.data(), fragment.payload.size());
  for (std::size_t unit = first; unit < last; ++unit) packet.units.set(unit);
  packet.have += fragment.payload.size();
  if (!fragment.more) packet.total = end;
  return packet.total == 0 || packet.have <= packet.total;
}

std::optional<std::span<const std::byte>> Fragments::add(const IpPacket& fragment,
                                                         std::int64_t time_ns) {
  Packet& packet = find_or_begin(fragment, time_ns);
  if (packet.broken) return std::nullopt;
  if (!place(packet, fragment)) {
    give_up(packet);
    packet.used = packet.broken = true;  // until its time is over
    return std::nullopt;
  }
  if (packet.total == 0 || packet.have != packet.total) return std::nullopt;
  packet.used = false;
  return std::span<const std::byte>{packet.bytes}.first(packet.total);
}

void Fragments::give_up(Packet& packet) {
  packet.used = false;
  if (packet.broken) return;
  std::optional<std::uint16_t> port;
  if (packet.units[0]) {
    port = static_cast<std::uint16_t>(static_cast<unsigned>(packet.bytes[2]) << 8 |
                                      static_cast<unsigned>(packet.bytes[3]));
  }
  on_broken_(port, packet.have);
}

void Fragments::give_up_all() {
  for (Packet& packet : packets_) {
    if (packet.used) give_up(packet);
  }
}

}  // namespace penstock
