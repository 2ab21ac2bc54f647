// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#include "net/formats/gap_ledger.hpp"

#include <algorithm>
#include <utility>

namespace penstock {
namespace {

bool near(std::uint32_t a, std::uint32_t b, std::uint32_t tolerance) noexcept {
  const std::uint32_t apart = (a + 36000 - b) % 36000;
  return std::min(apart, 36000 - apart) <= tolerance;
}

}  // namespace

std::uint64_t GapLedger::Turn::lost() const noexcept {
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < count; ++i) sum += gaps[i].recurs ? 0 : gaps[i].packets;
  return sum;
}

bool GapLedger::add(const Gap& gap, std::uint32_t tolerance, std::uint64_t& lost) noexcept {
  const auto end = before_.gaps.begin() + static_cast<std::ptrdiff_t>(before_.count);
  const auto twin = std::find_if(before_.gaps.begin(), end, [&](const Gap& g) {
    return near(g.from, gap.from, tolerance) && near(g.to, gap.to, tolerance);
  });
  const bool recurs = twin != end;
  if (recurs) twin->recurs = true;
  if (now_.count == now_.gaps.size()) {
    if (!recurs) lost += gap.packets;
    return recurs;
  }
  now_.gaps[now_.count] = gap;
  now_.gaps[now_.count].recurs = recurs;
  ++now_.count;
  return recurs;
}

void GapLedger::fill(std::int64_t stamp_us) noexcept {
  for (Turn* const turn : {&now_, &before_}) {
    for (std::size_t i = 0; i < turn->count; ++i) {
      Gap& gap = turn->gaps[i];
      if (stamp_us <= gap.from_us || stamp_us >= gap.to_us || gap.packets == 0) continue;
      --gap.packets;
      return;
    }
  }
}

std::uint64_t GapLedger::turn() noexcept {
  const std::uint64_t lost = before_.lost();
  before_ = std::exchange(now_, {});
  return lost;
}

std::uint64_t GapLedger::settle() noexcept {
  const std::uint64_t lost = before_.lost() + now_.lost();
  before_ = {};
  now_ = {};
  return lost;
}

}  // namespace penstock
