// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "net/reactor.hpp"
#include "net/stream_host.hpp"
#include "net/transport.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace penstock {

struct TcpEndpoint {
  std::string address;     // local, IPv4 or IPv6; "::" takes IPv4 clients too
  std::uint16_t port = 0;  // 0: any that is free
};

// Takes native clients on one TCP port.
//
// Thread: as Transport. Lifetime: reactor and host outlive it.
class TcpListener final : public Transport {
 public:
  // Binds: throws Error when the port is taken or the address is not ours.
  TcpListener(Reactor& reactor, const TcpEndpoint& endpoint, StreamHost& host);
  ~TcpListener() override;

  [[nodiscard]] std::string_view name() const noexcept override { return "tcp"; }
  void start() override;
  void stop() noexcept override;
  [[nodiscard]] bool finished() const noexcept override { return false; }

  // The port that it listens on.
  [[nodiscard]] std::uint16_t port() const;

 private:
  struct State;
  std::shared_ptr<State> state_;  // shared with the handler that waits for the next peer
};

}  // namespace penstock
