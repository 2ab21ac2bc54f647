// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#include "net/formats/vlp16.hpp"

#include "net/wire/bytes.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace penstock {
namespace {

using wire::get;

constexpr std::size_t kBlocks = 12;
constexpr std::size_t kBlockBytes = 100;
constexpr std::uint16_t kFlag = 0xEEFF;
constexpr std::uint32_t kTurn = 36000;
constexpr std::uint8_t kDualReturn = 0x39;
constexpr std::uint8_t kVlp16 = 0x22;  // a Puck Hi-Res, 0x24, looks in other directions
constexpr std::size_t kPositionBytes = 512;

constexpr std::int64_t kHourUs = 3'600'000'000;
constexpr std::int64_t kLateUs = 1'000'000;
constexpr std::int64_t kAnewUs = 10'000'000;
constexpr double kBlockUs = 110.592;  // two firings of 16 lasers

// A packet covers 2.4° at 10 Hz and twice that at 20 Hz; what claims more is not believed.
constexpr std::uint32_t kMostSpan = 1000;

// The sensor turns one way only.
std::uint32_t forward(std::uint32_t from, std::uint32_t to) noexcept {
  return (to + kTurn - from) % kTurn;
}

}  // namespace

struct Vlp16Assembler::Packet {
  std::array<std::uint32_t, kBlocks> azimuth{};
  std::uint32_t stamp_us = 0;
  bool dual = false;

  // False when it is no packet of this sensor.
  [[nodiscard]] bool read(std::span<const std::byte> bytes) noexcept {
    for (std::size_t i = 0; i < kBlocks; ++i) {
      azimuth[i] = get<std::uint16_t>(bytes, kBlockBytes * i + 2);
      if (get<std::uint16_t>(bytes, kBlockBytes * i) != kFlag || azimuth[i] >= kTurn) return false;
    }
    stamp_us = get<std::uint32_t>(bytes, 1200);
    const auto mode = get<std::uint8_t>(bytes, 1204);
    const auto product = get<std::uint8_t>(bytes, 1205);
    dual = mode == kDualReturn;
    return mode >= 0x37 && mode <= kDualReturn && product == kVlp16;
  }

  [[nodiscard]] double period_us() const noexcept { return kBlockUs * (dual ? 6 : 12); }

  // From the first block to the first one of the next packet, at the speed of the slower half: a
  // field of view that ends inside the packet makes only one of them jump.
  [[nodiscard]] std::uint32_t span() const noexcept {
    const std::size_t step = dual ? 2 : 1;
    const auto steps = static_cast<std::uint32_t>(kBlocks / step);
    const std::uint32_t first = forward(azimuth[0], azimuth[kBlocks / 2 - step]);
    const std::uint32_t second = forward(azimuth[kBlocks / 2], azimuth[kBlocks - step]);
    return std::min(std::min(first, second) * steps / (steps / 2 - 1), kMostSpan);
  }
};

Vlp16Assembler::Step Vlp16Assembler::step_to(const Packet& packet,
                                             std::int64_t& step_us) const noexcept {
  if (!have_last_) return Step::first;
  step_us = (std::int64_t{packet.stamp_us} - std::int64_t{last_stamp_}) % kHourUs;
  if (step_us > kHourUs / 2) step_us -= kHourUs;
  if (step_us < -kHourUs / 2) step_us += kHourUs;
  if (step_us > 0) return step_us < kAnewUs ? Step::next : Step::anew;
  return step_us > -kLateUs ? Step::late : Step::anew;
}

void Vlp16Assembler::find_gap(const Packet& packet, std::int64_t step_us,
                              PacketVerdict& verdict) noexcept {
  const std::int64_t periods = std::llround(static_cast<double>(step_us) / packet.period_us());
  if (periods <= 1) return;
  // The stamp is that of a packet's first block, so that silence inside a packet shows behind it.
  const GapLedger::Gap gap{.from = had_jump_ ? jump_from_ : last_azimuth_,
                           .to = had_jump_ ? jump_to_ : packet.azimuth[0],
                           .from_us = now_us_,
                           .to_us = now_us_ + step_us,
                           .packets = static_cast<std::uint64_t>(periods - 1)};
  // The edge of a field of view falls anywhere into a packet, so that it moves by up to one.
  const std::uint32_t tolerance = std::max(span_, packet.span());
  verdict.gap_before = !gaps_.add(gap, tolerance, verdict.known_lost);
}

// Between the last packet and this one. The azimuths tell where the sensor looks, the clock how
// often it went round meanwhile; without the clock a narrow field of view that begins anew and one
// that turned back by as much look the same.
bool Vlp16Assembler::passed_0(const Packet& packet, std::int64_t step_us) const noexcept {
  const std::uint32_t span = std::max<std::uint32_t>(std::min(packet.span(), span_), 1);
  const double turned = static_cast<double>(step_us) / packet.period_us() * span;
  const std::uint32_t seen = last_inside_ + forward(last_azimuth_, packet.azimuth[0]);
  const std::int64_t unseen_turns = std::llround((turned - seen) / kTurn);
  const int seen_0 = packet.azimuth[0] < last_azimuth_ ? 1 : 0;
  return unseen_turns + seen_0 > 0;
}

void Vlp16Assembler::find_seam(const Packet& packet, Step step, std::int64_t step_us,
                               PacketVerdict& verdict) const noexcept {
  using Seam = PacketVerdict::Seam;
  // Just behind the cut: when the sensor is switched on there, or the file begins there, it is a
  // whole turn all the same.
  const bool at_0 = packet.azimuth[0] < packet.span();
  if (step == Step::next && passed_0(packet, step_us)) verdict.seam = Seam::at_start;
  for (std::size_t i = 1; i < kBlocks && verdict.seam == Seam::none; ++i) {
    // The blocks of a packet are in order: what steps back by more than a motor trembles is ahead.
    if (packet.azimuth[i] + kMostSpan >= packet.azimuth[i - 1]) continue;
    verdict.seam = Seam::inside;
    verdict.blocks_before_seam = static_cast<std::uint16_t>(i);
    verdict.blocks_after_seam = static_cast<std::uint16_t>(kBlocks - i);
  }
  if (fresh_ && verdict.seam == Seam::none && at_0) verdict.seam = Seam::at_start;
}

void Vlp16Assembler::remember(const Packet& packet) noexcept {
  have_last_ = true;
  last_stamp_ = packet.stamp_us;
  last_azimuth_ = packet.azimuth[kBlocks - 1];
  last_inside_ = forward(packet.azimuth[0], last_azimuth_);
  if (last_inside_ > kTurn - kMostSpan) last_inside_ = 0;  // stood, and trembled backwards
  span_ = packet.span();
  had_jump_ = false;
  for (std::size_t i = 1; i < kBlocks && !had_jump_; ++i) {
    jump_from_ = packet.azimuth[i - 1];
    jump_to_ = packet.azimuth[i];
    const std::uint32_t ahead = forward(jump_from_, jump_to_);
    had_jump_ = ahead > kMostSpan && ahead < kTurn - kMostSpan;
  }
}

void Vlp16Assembler::account(const Packet& packet, Step step, std::int64_t step_us,
                             PacketVerdict& verdict) noexcept {
  using Seam = PacketVerdict::Seam;
  // A silence across the cut belongs to the turn behind it, however packets lie in it: else it
  // would be compared with itself, or with a turn that has none.
  if (verdict.seam == Seam::at_start) verdict.known_lost += gaps_.turn();
  if (step == Step::next) find_gap(packet, step_us, verdict);
  if (step == Step::anew) {
    verdict.known_lost += gaps_.settle();
    verdict.gap_before = true;
  }
  if (verdict.seam == Seam::inside) verdict.known_lost += gaps_.turn();
  verdict.head_missing =
      verdict.seam == Seam::at_start && verdict.gap_before && packet.azimuth[0] >= packet.span();
}

PacketVerdict Vlp16Assembler::judge(std::span<const std::byte> bytes) noexcept {
  PacketVerdict verdict;
  if (bytes.size() != kPacketBytes) {
    verdict.cause = PacketReject::unexpected_length;
    return verdict;
  }
  Packet packet;
  if (!packet.read(bytes)) return verdict;
  verdict.kind = PacketVerdict::Kind::data;
  verdict.sensor_time_ns = std::int64_t{packet.stamp_us} * 1000;

  std::int64_t step_us = 0;
  const Step step = step_to(packet, step_us);
  if (step == Step::late) {
    gaps_.fill(now_us_ + step_us);
    if (now_us_ + step_us < frame_us_) verdict.kind = PacketVerdict::Kind::late;
    return verdict;
  }
  find_seam(packet, step, step_us, verdict);
  account(packet, step, step_us, verdict);

  // As far ahead as can be, so that nothing that is late for the old run falls into the new one.
  now_us_ += step == Step::anew ? kAnewUs : step_us;
  if (verdict.seam != PacketVerdict::Seam::none) {
    frame_us_ = now_us_;
    fresh_ = false;
  }
  remember(packet);
  return verdict;
}

bool Vlp16Assembler::seam_near() const noexcept {
  return !have_last_ || last_azimuth_ + 2 * span_ >= kTurn;
}

bool Vlp16Assembler::is_side_packet(std::span<const std::byte> packet) const noexcept {
  return packet.size() == kPositionBytes;
}

std::uint64_t Vlp16Assembler::end_of_run() noexcept {
  fresh_ = true;
  return gaps_.settle();
}

}  // namespace penstock
