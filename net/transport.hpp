// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace penstock {

// A source of frames: UDP, TCP, RDMA or a recorded file. Fills the slots of one or more StreamPorts
// and publishes them.
//
// Thread: all calls on the reactor, or while the reactor's thread does not run.
class Transport {
 public:
  Transport() = default;
  Transport(const Transport&) = delete;
  Transport& operator=(const Transport&) = delete;
  virtual ~Transport() = default;

  [[nodiscard]] virtual std::string_view name() const noexcept = 0;

  // Begins to receive. Throws Error when it cannot (port in use, file gone), with cause and remedy.
  virtual void start() = 0;

  // Ends receiving. Frames that are being filled are published as partial or counted as dropped;
  // when it returns, the transport holds no slot and will publish nothing more.
  virtual void stop() noexcept = 0;

  // A source with an end (a file) has come to it and published everything.
  [[nodiscard]] virtual bool finished() const noexcept = 0;

  // Why it could not do its whole job, in one line with cause and remedy (a file that ends in the
  // middle of a record); nothing when all went well.
  [[nodiscard]] virtual std::optional<std::string> failure() const { return std::nullopt; }
};

}  // namespace penstock
