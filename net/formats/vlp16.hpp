// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "net/formats/assembler.hpp"
#include "net/formats/gap_ledger.hpp"

namespace penstock {

// Velodyne VLP-16: VLP-16 User Manual 63-9243, chapter 9. A frame is one turn, cut
// where the azimuth passes 0.
//
// Loss shows as a step of the sensor's clock that is too long. That clock counts microseconds of
// the hour, so steps are taken modulo an hour; a step back of less than a second is a packet that
// was overtaken on its way, anything else that is not forward by less than ten seconds is a sensor
// that began anew.
class Vlp16Assembler final : public Assembler {
 public:
  static constexpr std::size_t kPacketBytes = 1206;
  // A turn at 5 Hz with two returns has 302 packets; a fifth more for a motor that runs slowly.
  static constexpr std::size_t kMostPackets = 362;

  [[nodiscard]] std::size_t packet_bytes() const noexcept override { return kPacketBytes; }
  [[nodiscard]] std::size_t most_packets() const noexcept override { return kMostPackets; }
  [[nodiscard]] PacketVerdict judge(std::span<const std::byte> packet) noexcept override;
  [[nodiscard]] bool seam_near() const noexcept override;
  [[nodiscard]] bool is_side_packet(std::span<const std::byte> packet) const noexcept override;
  [[nodiscard]] std::uint64_t end_of_run() noexcept override;

 private:
  struct Packet;  // what judge() reads off the wire

  // How this packet's stamp stands to the last one's.
  enum class Step : std::uint8_t { first, next, late, anew };
  [[nodiscard]] Step step_to(const Packet& packet, std::int64_t& step_us) const noexcept;
  void find_gap(const Packet& packet, std::int64_t step_us, PacketVerdict& verdict) noexcept;
  void find_seam(const Packet& packet, Step step, std::int64_t step_us,
                 PacketVerdict& verdict) const noexcept;
  [[nodiscard]] bool passed_0(const Packet& packet, std::int64_t step_us) const noexcept;
  void account(const Packet& packet, Step step, std::int64_t step_us,
               PacketVerdict& verdict) noexcept;
  void remember(const Packet& packet) noexcept;

  GapLedger gaps_;
  bool have_last_ = false;     // a packet has come before
  bool fresh_ = true;          // no frame is open: the next packet may begin one
  std::int64_t now_us_ = 0;    // the sensor's clock, unwrapped: of the last packet in order
  std::int64_t frame_us_ = 0;  // of the first packet of the frame
  std::uint32_t last_stamp_ = 0;
  std::uint32_t last_azimuth_ = 0;  // of the last block of the last packet
  std::uint32_t last_inside_ = 0;   // from its first block to its last one
  std::uint32_t span_ = 0;          // hundredths of a degree that one packet covers
  // The edges of the last packet's blind part, when a limited field of view ended inside it.
  bool had_jump_ = false;
  std::uint32_t jump_from_ = 0;
  std::uint32_t jump_to_ = 0;
};

}  // namespace penstock
