// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#include "net/replay/capture_reader.hpp"
#include "net/replay/fragments.hpp"
#include "net/replay/packet.hpp"

#include <cstdint>
#include <cstdlib>

// A whole capture file: records, link layers, IP, fragments, UDP.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace penstock;  // NOLINT(google-build-using-namespace): a program of one file
  CaptureReader reader{std::as_bytes(std::span{data, size})};
  std::size_t told = 0;
  Fragments fragments{[&](std::optional<std::uint16_t>, std::size_t) { ++told; }};
  std::size_t fragmented = 0;
  while (const auto record = reader.next()) {
    const auto packet = find_ip(*record);
    if (!packet) continue;
    std::span<const std::byte> payload = packet->payload;
    if (packet->fragment()) {
      ++fragmented;
      const auto whole = fragments.add(*packet, record->time_ns);
      if (!whole) continue;
      payload = *whole;
    }
    if (const auto udp = find_udp(payload, packet->cut)) {
      if (udp->payload.size() > udp->payload_bytes) std::abort();
    }
  }
  fragments.give_up_all();
  if (told > fragmented) std::abort();  // no packet is given up more often than it has parts
  return 0;
}
