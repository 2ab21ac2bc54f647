// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/histogram.hpp"

#include <span>
#include <string>

namespace penstock {

struct LatencySeries {
  std::string name;
  const Histogram* histogram = nullptr;  // of nanoseconds
};

// An SVG picture: for each stream, the latency that a share of its frames does not exceed. The
// share runs from half of the frames to 99.99 % so that each further nine gets the same room, the
// latency on a logarithmic scale. A curve ends where the number of frames says no more.
[[nodiscard]] std::string latency_plot(std::span<const LatencySeries> series);

}  // namespace penstock
