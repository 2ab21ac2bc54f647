// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace penstock {

// The silences of a turning sensor: loss, or a part of the turn in which it does not measure. A
// field of view that was limited in the sensor is silent in every turn between the same two
// azimuths; a lost packet is missing once. So a gap is kept for a turn: when the next turn has it
// too, it was never a loss.
//
// Thread: the reactor. Cost: allocates nothing.
class GapLedger {
 public:
  // Azimuths in hundredths of a degree: of the last block before the gap and the first behind it.
  struct Gap {
    std::uint32_t from = 0;
    std::uint32_t to = 0;
    std::int64_t from_us = 0;  // the same edges on the sensor's clock
    std::int64_t to_us = 0;
    std::uint64_t packets = 0;
    bool recurs = false;
  };

  // Notes a gap; true when the turn before had the same one, with edges at most `tolerance` apart.
  // `lost` grows when the ledger is full and an entry must be decided at once.
  [[nodiscard]] bool add(const Gap& gap, std::uint32_t tolerance, std::uint64_t& lost) noexcept;

  // A packet came late: if it was missing from a gap, it is not any more.
  void fill(std::int64_t stamp_us) noexcept;

  // A turn is over: what the one before it was missing and this one was not is lost.
  [[nodiscard]] std::uint64_t turn() noexcept;

  // Nothing more will come to compare with: everything that did not recur is lost.
  [[nodiscard]] std::uint64_t settle() noexcept;

 private:
  struct Turn {
    std::array<Gap, 16> gaps{};
    std::size_t count = 0;

    [[nodiscard]] std::uint64_t lost() const noexcept;
  };
  Turn before_;
  Turn now_;
};

}  // namespace penstock
