// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#include "base/clock.hpp"
#include "net/tcp/session.hpp"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <utility>

namespace penstock {

using wire::GoodbyeCode;
using wire::MessageType;
using wire::ParseError;
using wire::RefusalCode;

bool TcpSession::control(std::span<const std::byte> payload) {
  if (state_ == State::greeting) {
    return header_.type == MessageType::hello
               ? greet(payload)
               : violated({GoodbyeCode::protocol_error, "the first message is not a hello"});
  }
  switch (header_.type) {
    case MessageType::open_stream:
      return open_stream(payload);
    case MessageType::close_stream:
      return close_stream(payload);
    case MessageType::goodbye:
      spdlog::debug("connection ended id={} peer={} reason=\"goodbye\"", id_, peer_);
      stop(FrameDrop::aborted);
      return false;
    default:
      // The rest is what servers say, or a second hello.
      return violated(ParseError::bad_type);
  }
}

bool TcpSession::greet(std::span<const std::byte> payload) {
  const auto hello = wire::parse_hello(payload);
  if (!hello) return violated(hello.error());
  if (hello->least_version > wire::kVersion || hello->most_version < wire::kVersion) {
    const std::string text = fmt::format("this server speaks version {}, the client {} to {}",
                                         wire::kVersion, hello->least_version, hello->most_version);
    if (!say(wire::encode_refused(0, {static_cast<std::uint16_t>(RefusalCode::version), text}))) {
      return false;
    }
    refuse(GoodbyeCode::protocol_error, text);
    return false;
  }
  state_ = State::open;
  deadline_.cancel();
  spdlog::debug("connection opened id={} peer={} transport=tcp", id_, peer_);
  return say(wire::encode(wire::Welcome{}));
}

bool TcpSession::open_stream(std::span<const std::byte> payload) {
  const auto request = wire::parse_open_stream(payload);
  if (!request) return violated(request.error());
  if (find(header_.stream) != nullptr || streams_.size() == wire::kMaxStreamsPerSession) {
    return violated(ParseError::bad_stream);
  }
  const auto port = shared_.host.open_stream(*request);
  if (!port) {
    const auto code = static_cast<std::uint16_t>(port.error().code);
    spdlog::warn("stream refused id={} peer={} name={} reason=\"{}\"", id_, peer_, request->name,
                 port.error().text);
    return say(wire::encode_refused(header_.stream, {code, port.error().text}));
  }
  streams_.push_back(std::make_unique<StreamReceiver>(header_.stream, *request, **port));
  if (streams_.size() == 1) shared_.reactor.add(*this);
  const SlotRing& slots = *(*port)->slots;
  if (!say(wire::encode(header_.stream, wire::StreamOpened{slots.slots(), slots.slot_bytes()}))) {
    return false;
  }
  announce_credit();
  return !over();
}

bool TcpSession::close_stream(std::span<const std::byte> payload) {
  const auto counts = wire::parse_close_stream(payload);
  if (!counts) return violated(counts.error());
  const auto stream = std::find_if(streams_.begin(), streams_.end(),
                                   [&](const auto& s) { return s->number() == header_.stream; });
  if (stream == streams_.end()) return violated(ParseError::bad_stream);
  const auto closed = (*stream)->close(*counts);
  if (!closed) return violated(closed.error());
  (*stream)->release();
  shared_.host.close_stream((*stream)->port());
  streams_.erase(stream);
  if (streams_.empty()) shared_.reactor.remove(*this);
  return say(wire::encode(header_.stream, *closed));
}

bool TcpSession::say(std::span<const std::byte> message) {
  if (!outbox_.add(message)) {
    return violated({GoodbyeCode::protocol_error, "it does not read what we answer"});
  }
  flush();
  return !over();
}

StreamReceiver* TcpSession::find(std::uint32_t number) noexcept {
  const auto stream = std::find_if(streams_.begin(), streams_.end(),
                                   [&](const auto& s) { return s->number() == number; });
  return stream == streams_.end() ? nullptr : stream->get();
}

bool TcpSession::violated(const Violation& violation) {
  if (const auto held_back = shared_.violations.admit(monotonic_ns())) {
    spdlog::warn("connection closed id={} peer={} reason=\"{}\" held_back={}", id_, peer_,
                 violation.text, *held_back);
  }
  refuse(violation.code, violation.text);
  return false;
}

bool TcpSession::violated(ParseError error) {
  return violated(Violation{GoodbyeCode::protocol_error, std::string{wire::name(error)}});
}

void TcpSession::end_streams(FrameDrop cause) noexcept {
  if (streams_.empty()) return;
  if (frame_ != nullptr) frame_->abort(cause);
  frame_ = nullptr;
  rest_ = {};
  for (const auto& stream : streams_) {
    stream->release();
    shared_.host.close_stream(stream->port());
  }
  streams_.clear();
  shared_.reactor.remove(*this);
}

}  // namespace penstock
