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

  // From the first block to the first one of the next packet.
  [[nodiscard]] std::uint32_t span() const noexcept {
    const std::size_t step = dual ? 2 : 1;
    const std::uint32_t inside = (azimuth[kBlocks - step] + kTurn - azimuth[0]) % kTurn;
    const std::uint32_t all = inside + inside / static_cast<std::uint32_t>(kBlocks / step - 1);
    return std::min(all, kMostSpan);
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
  const GapLedger::Gap gap{.from = last_azimuth_,
                           .to = packet.azimuth[0],
                           .from_us = now_us_,
                           .to_us = now_us_ + step_us,
                           .packets = static_cast<std::uint64_t>(periods - 1)};
  // The edge of a field of view falls anywhere into a packet, so that it moves by up to one.
  const std::uint32_t tolerance = std::max(span_, packet.span());
  verdict.gap_before = !gaps_.add(gap, tolerance, verdict.known_lost);
}

void Vlp16Assembler::find_seam(const Packet& packet, Step step, std::int64_t step_us,
                               PacketVerdict& verdict) noexcept {
  using Seam = PacketVerdict::Seam;
  // Most of a turn is missing: the azimuth cannot tell how often 0 was passed meanwhile.
  const std::uint32_t span = std::max<std::uint32_t>(packet.span(), 1);
  const double turned = static_cast<double>(step_us) / packet.period_us() * span;
  if (step == Step::anew || (step == Step::next && turned > 0.75 * kTurn)) {
    verdict.seam = step == Step::anew ? Seam::none : Seam::at_start;
  }
  std::uint32_t before = step == Step::next ? last_azimuth_ : packet.azimuth[0];
  for (std::size_t i = 0; i < kBlocks; ++i) {
    const std::uint32_t here = packet.azimuth[i];
    if (here + kTurn / 2 < before) {
      verdict.seam = i == 0 ? Seam::at_start : Seam::inside;
      verdict.blocks_before_seam = static_cast<std::uint16_t>(i);
      verdict.blocks_after_seam = static_cast<std::uint16_t>(kBlocks - i);
      break;
    }
    before = here;
  }
  // The sensor was switched on, or the file begins, just behind the cut: a whole turn all the same.
  if (fresh_ && verdict.seam == Seam::none && packet.azimuth[0] < packet.span()) {
    verdict.seam = Seam::at_start;
  }
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
  if (step == Step::next) find_gap(packet, step_us, verdict);
  if (step == Step::anew) {
    verdict.known_lost += gaps_.settle();
    verdict.gap_before = true;
    step_us = kAnewUs;  // so that nothing that is late for the old run falls into a gap of the new
  }
  find_seam(packet, step, step_us, verdict);

  now_us_ += step_us;
  if (verdict.seam != PacketVerdict::Seam::none) {
    verdict.known_lost += gaps_.turn();
    frame_us_ = now_us_;
    fresh_ = false;
  }
  have_last_ = true;
  last_stamp_ = packet.stamp_us;
  last_azimuth_ = packet.azimuth[kBlocks - 1];
  span_ = packet.span();
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
