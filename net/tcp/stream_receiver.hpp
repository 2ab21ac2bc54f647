// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "net/stream_port.hpp"
#include "net/wire/control.hpp"

#include <tl/expected.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace penstock {

// A rule of the protocol that the peer broke: costs it the session.
struct Violation {
  wire::GoodbyeCode code = wire::GoodbyeCode::protocol_error;
  std::string text;
};

// The receiving end of one native stream: holds the slots that were granted to the sender as credit
// and fills them in order.
//
// Thread: the reactor. Cost: allocates nothing after construction, unless a rule is broken.
class StreamReceiver {
 public:
  // `number` is the client's for this session. `port` outlives it.
  StreamReceiver(std::uint32_t number, wire::OpenStream request, StreamPort& port);

  [[nodiscard]] std::uint32_t number() const noexcept { return number_; }
  [[nodiscard]] const wire::OpenStream& request() const noexcept { return request_; }
  [[nodiscard]] StreamPort& port() const noexcept { return port_; }

  // Takes every slot that has come back; asks to be woken for those that have not.
  void top_up() noexcept;
  // The credit to announce now, or nothing: small steps are saved up while the sender has plenty.
  [[nodiscard]] std::optional<std::uint64_t> credit_to_announce() noexcept;

  // A frame's header came: where its payload goes.
  [[nodiscard]] tl::expected<std::span<std::byte>, Violation> begin(const wire::Header& header);
  void received(std::size_t bytes) noexcept { port_.account->receiving.bytes_received.add(bytes); }
  // The payload is complete.
  void finish() noexcept;
  // The rest of the frame that began will not come.
  void abort(FrameDrop cause) noexcept;

  // The sender's last word; what we received of it.
  [[nodiscard]] tl::expected<wire::StreamClosed, Violation> close(const wire::CloseStream& counts);
  // Gives all slots back. Nothing else may be called after it.
  void release() noexcept;

 private:
  [[nodiscard]] bool length_fits(std::uint64_t bytes) const noexcept;
  void note_unsent(std::uint64_t unsent) noexcept;

  const std::uint32_t number_;
  const wire::OpenStream request_;
  StreamPort& port_;

  std::vector<FrameWriter> granted_;  // a ring: the slots that the sender may fill, oldest first
  std::size_t first_ = 0;
  std::size_t held_ = 0;
  std::uint64_t announced_ = 0;  // credit told to the sender, ever

  FrameWriter filling_;
  wire::Header header_{};
  std::int64_t began_ns_ = 0;
  std::uint64_t begun_ = 0;  // frames, ever
  std::uint64_t unsent_ = 0;
  std::uint64_t crc_mismatches_ = 0;
};

}  // namespace penstock
