// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "net/stream_port.hpp"
#include "net/wire/open_stream.hpp"

#include <tl/expected.hpp>

#include <memory>
#include <string>

namespace penstock {

// Who decides whether a peer may open a stream, and finds it memory: the server's pipeline.
//
// Thread: the reactor. Not on the hot path.
class StreamHost {
 public:
  StreamHost() = default;
  StreamHost(const StreamHost&) = delete;
  StreamHost& operator=(const StreamHost&) = delete;
  virtual ~StreamHost() = default;

  struct Refusal {
    wire::RefusalCode code;
    std::string text;  // one line for the peer's operator: cause and remedy, with the sum
  };

  // The port lives until close_stream().
  [[nodiscard]] virtual tl::expected<StreamPort*, Refusal> open_stream(
      const wire::OpenStream& request) = 0;

  // The transport has published its last frame and holds no writer any more.
  virtual void close_stream(StreamPort& port) noexcept = 0;
};

}  // namespace penstock
