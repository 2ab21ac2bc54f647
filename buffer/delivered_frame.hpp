// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/spsc_ring.hpp"
#include "buffer/frame.hpp"

#include <cstdint>

namespace penstock {

// Frames that are ready for the device: reactor → lane, one ring a stream.
using FrameRing = SpscRing<FrameRef>;

// What the lane hands to the sinks: a frame, what the kernel made of it, and how it got there.
struct DeliveredFrame {
  FrameRef frame;
  FrameRef result;  // empty for a stream whose frames are only checked
  Delivery delivery = Delivery::mapped;
  std::int64_t result_ns = 0;  // monotonic: when the result was visible to the host
  std::uint64_t checksum[2] = {
      0, 0};  // Fletcher sums of the payload (kernels/fletcher.hpp), 0 if not asked

  [[nodiscard]] DeliveredFrame share() const noexcept {
    return {frame.share(),
            result ? result.share() : FrameRef{},
            delivery,
            result_ns,
            {checksum[0], checksum[1]}};
  }
};

}  // namespace penstock
