// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#include "net/formats/registry.hpp"
#include "net/frame_builder.hpp"
#include "tests/support/port_fixture.hpp"
#include "tests/support/vlp16_packets.hpp"

#include <spdlog/spdlog.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>

// A stream of VLP-16 packets in which the input changes azimuths, clocks, flags and lengths, and
// whose consumer takes frames now and then: the books must balance whatever comes.
//
// Each step takes six bytes: which packet (moves forward or back), where to write, what, what else.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace penstock;  // NOLINT(google-build-using-namespace): a program of one file
  spdlog::set_level(spdlog::level::off);
  static const test::Vlp16Packets packets;
  test::PortFixture stream{2, largest_frame_bytes(StreamKind::velodyne_vlp16)};
  FrameBuilder builder{"fuzz", stream.port, make_assembler(StreamKind::velodyne_vlp16)};
  std::uint64_t n = 1000;
  for (std::size_t at = 0; at + 6 <= size; at += 6) {
    const std::uint8_t* const step = data + at;
    n += static_cast<std::uint64_t>(static_cast<std::int8_t>(step[0]));
    test::Vlp16Packet packet = packets.at(n & 0xFFFF);
    const std::size_t where = (std::size_t{step[1]} << 8 | step[2]) % (packet.size() - 2);
    if ((step[5] & 1) != 0) std::memcpy(packet.data() + where, step + 3, 2);
    if ((step[5] & 2) != 0) stream.deliver_all();
    if ((step[5] & 4) != 0) builder.flush();
    if ((step[5] & 8) != 0 && !builder.ready()) continue;
    std::memcpy(builder.place().data(), packet.data(), packet.size());
    const std::size_t bytes = (step[5] & 16) != 0 ? where : packet.size();
    if (builder.commit(bytes, 0) == FrameBuilder::Next::packet) continue;
    if ((step[5] & 32) != 0) {
      builder.copy_across();
    } else {
      std::memcpy(builder.place().data(), packet.data(), packet.size());
      builder.commit_again();
    }
  }
  builder.flush();
  stream.deliver_all();
  if (!stream.account.balanced() || stream.slots.outstanding() != 0) std::abort();
  return 0;
}
