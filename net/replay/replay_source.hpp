// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "net/reactor.hpp"
#include "net/replay/pace.hpp"
#include "net/stream_port.hpp"
#include "net/transport.hpp"
#include "net/wire/stream_kind.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace penstock {

// Which datagrams of a capture feed which stream: those to the UDP destination port `data_port`.
struct ReplayRoute {
  std::uint16_t data_port = 0;
  std::uint16_t position_port = 0;  // 0: none
  std::string name;
  StreamKind kind = StreamKind::raw;
  StreamPort* port = nullptr;
};

// Plays a pcap or pcapng file through the assemblers that also serve the network. Waits for slots:
// a file, unlike a sensor, can.
class ReplaySource final : public Transport {
 public:
  // Opens and checks the file: throws Error (missing, not a capture), with its name.
  ReplaySource(Reactor& reactor, std::string file, Pace pace, std::vector<ReplayRoute> routes);
  ~ReplaySource() override;

  [[nodiscard]] std::string_view name() const noexcept override;
  void start() override;
  void stop() noexcept override;
  [[nodiscard]] bool finished() const noexcept override;
  [[nodiscard]] std::optional<std::string> failure() const override;

 private:
  struct State;
  std::shared_ptr<State> state_;  // shared with the handlers that wait in the reactor
};

}  // namespace penstock
