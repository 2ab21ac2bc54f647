// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "net/reactor.hpp"
#include "net/stream_port.hpp"
#include "net/transport.hpp"
#include "net/wire/stream_kind.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace penstock {

struct UdpEndpoint {
  std::string address;              // local, IPv4 or IPv6
  std::uint16_t port = 0;           // data packets
  std::uint16_t position_port = 0;  // side packets; 0: not received
};

// Receives the packets of one sensor by UDP, each straight into the slot of its frame.
class UdpReceiver final : public Transport {
 public:
  // Binds: throws Error when the port is taken or the address is not ours. Reactor and port outlive
  // it.
  UdpReceiver(Reactor& reactor, const UdpEndpoint& endpoint, std::string name, StreamKind kind,
              StreamPort& port);
  ~UdpReceiver() override;

  [[nodiscard]] std::string_view name() const noexcept override;
  void start() override;
  void stop() noexcept override;
  [[nodiscard]] bool finished() const noexcept override { return false; }

 private:
  struct State;
  std::shared_ptr<State> state_;  // shared with the handlers that wait in the reactor
};

}  // namespace penstock
