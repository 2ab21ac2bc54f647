// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "buffer/delivered_frame.hpp"

namespace penstock {

// Where results end.
//
// Thread: take() is called by the lane, once for each delivered frame; it must not wait. A sink
// that needs time shares the leases into a queue of its own and works on a thread of its own.
class Sink {
 public:
  Sink() = default;
  Sink(const Sink&) = delete;
  Sink& operator=(const Sink&) = delete;
  virtual ~Sink() = default;

  virtual void take(const DeliveredFrame& delivered) noexcept = 0;
};

}  // namespace penstock
