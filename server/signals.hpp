// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

namespace penstock {

// SIGINT and SIGTERM as values. The first asks the server to drain and exit 0; after
// end_at_the_next() a second one ends the process at once.
//
// Thread: constructed in main before any other thread, so that all of them inherit the mask.
class Signals {
 public:
  Signals();

  // Waits at most `timeout_ms` for a signal; its number, or nothing.
  [[nodiscard]] static std::optional<int> wait(int timeout_ms) noexcept;

  // From now on a signal ends the process, with exit status 128 + its number, whatever it is doing.
  void end_at_the_next() const noexcept;
};

}  // namespace penstock
