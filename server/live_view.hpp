// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "server/stream_table.hpp"

#include <cstdint>
#include <map>
#include <string>

namespace penstock {

// The live table in the terminal: a row a stream, redrawn in place.
//
// Thread: main. Reads counters only; holds no slot.
class LiveView {
 public:
  // `terminal`: redraw in place. Else every table stands below the last.
  explicit LiveView(bool terminal) noexcept : terminal_{terminal} {}

  // The text to print for the state now; rates are over the time since the last call.
  [[nodiscard]] std::string draw(const StreamTable& streams, std::int64_t now_ns);

 private:
  struct Last {
    std::uint64_t frames = 0;
    std::uint64_t bytes = 0;
  };
  [[nodiscard]] std::string row(const StreamRecord& record, double seconds);

  bool terminal_;
  std::int64_t last_ns_ = 0;
  std::size_t rows_drawn_ = 0;
  std::map<std::string, Last> last_;
};

}  // namespace penstock
