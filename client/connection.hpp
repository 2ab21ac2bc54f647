// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/file_descriptor.hpp"
#include "client/sender.hpp"
#include "net/wire/message.hpp"

#include <sys/uio.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace penstock {

// A connected socket that carries whole messages in both directions.
//
// Thread: one. Errors: throws SenderError. Cost: sending and receiving allocate nothing.
class Connection {
 public:
  // Resolves and connects within `options.timeout_ms`.
  explicit Connection(const SenderOptions& options);

  struct Message {
    wire::Header header;
    std::span<const std::byte> payload;  // until the next call
  };

  // The next message from the server, if it comes before `deadline_ns` (monotonic; 0: only what is
  // already here). Throws when the connection has ended.
  [[nodiscard]] std::optional<Message> receive(std::int64_t deadline_ns);

  // Sends all of it, in order. Waits as long as the server's machine takes something now and then.
  void send(std::span<const std::byte> message);
  void send(std::span<const std::byte> header, std::span<const std::byte> payload);

  // "HOST:PORT", for messages.
  [[nodiscard]] const std::string& peer() const noexcept { return peer_; }

 private:
  [[nodiscard]] std::optional<Message> parsed();
  [[noreturn]] void ended(const std::string& why);

  std::string peer_;
  FileDescriptor socket_;
  std::array<std::byte, wire::kHeaderBytes + wire::kMaxControlBytes> buffer_{};
  std::size_t have_ = 0;
  std::size_t used_ = 0;  // of these: the message handed out last
};

}  // namespace penstock
