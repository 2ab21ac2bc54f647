// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#include "net/tcp/session.hpp"

#include "base/clock.hpp"

#include <spdlog/spdlog.h>
#include <sys/uio.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <exception>
#include <system_error>
#include <utility>

namespace penstock {
namespace {

using namespace std::chrono_literals;

constexpr auto kHandshakeTime = 5s;
constexpr auto kLingerTime = 1s;

// Bytes that one session may receive before the others have their turn.
constexpr std::size_t kTurnBytes = 8u << 20;

}  // namespace

TcpSession::TcpSession(std::uint64_t id, asio::ip::tcp::socket socket, std::string peer,
                       Shared& shared)
    : id_{id},
      socket_{std::move(socket)},
      peer_{std::move(peer)},
      shared_{shared},
      deadline_{shared.reactor.context()} {
  streams_.reserve(wire::kMaxStreamsPerSession);
}

TcpSession::~TcpSession() { stop(FrameDrop::shutdown); }

void TcpSession::start() {
  deadline_.expires_after(kHandshakeTime);
  deadline_.async_wait([self = shared_from_this()](std::error_code error) {
    if (error || self->state_ != State::greeting) return;
    (void)self->violated({wire::GoodbyeCode::timeout, "no hello came within 5 s"});
  });
  wait_readable();
}

void TcpSession::stop(FrameDrop cause) noexcept {
  if (state_ == State::over) return;
  end_streams(cause);
  state_ = State::over;
  deadline_.cancel();
  std::error_code ignored;
  socket_.close(ignored);
}

void TcpSession::wait_readable() {
  socket_.async_wait(asio::ip::tcp::socket::wait_read,
                     [self = shared_from_this()](std::error_code error) {
                       if (!error && !self->over()) self->readable();
                     });
}

void TcpSession::wait_writable() {
  if (std::exchange(writing_, true)) return;
  socket_.async_wait(asio::ip::tcp::socket::wait_write,
                     [self = shared_from_this()](std::error_code error) {
                       self->writing_ = false;
                       if (error || self->over()) return;
                       self->flush();
                       if (!self->over()) self->announce_credit();
                     });
}

// The boundary where an exception costs one connection and nothing else.
void TcpSession::readable() {
  try {
    if (state_ == State::lingering) {
      linger();
    } else {
      receive();
    }
    if (!over()) wait_readable();
  } catch (const std::exception& error) {
    spdlog::error("connection closed id={} peer={} reason=\"{}\"", id_, peer_, error.what());
    stop(FrameDrop::aborted);
  }
}

std::size_t TcpSession::lay_out(std::array<iovec, 2>& list) noexcept {
  const iovec header{header_bytes_.data() + header_have_, header_bytes_.size() - header_have_};
  if (rest_.empty()) {
    list[0] = header;
    return 1;
  }
  list[0] = {rest_.data(), rest_.size()};
  list[1] = header;
  return 2;
}

void TcpSession::receive() {
  std::size_t turn = 0;
  while (turn < kTurnBytes) {
    std::array<iovec, 2> list;
    const std::size_t count = lay_out(list);
    const std::size_t wanted = list[0].iov_len + (count == 2 ? list[1].iov_len : 0);
    const ssize_t got = ::readv(socket_.native_handle(), list.data(), static_cast<int>(count));
    if (got < 0) {
      if (errno == EINTR) continue;
      if (errno == EAGAIN) break;
      return input_ended(std::system_category().message(errno));
    }
    if (got == 0) return input_ended("the peer closed the connection");
    const auto bytes = static_cast<std::size_t>(got);
    if (!take(bytes)) return;
    if (bytes < wanted) break;  // drained: another call would only say so
    turn += bytes;
  }
  announce_credit();
}

bool TcpSession::take(std::size_t bytes) {
  while (bytes != 0) {
    if (rest_.empty()) {  // the header is always last in the list, so all of this is its
      header_have_ += bytes;
      return header_have_ < header_bytes_.size() || header_complete();
    }
    const std::size_t part = std::min(bytes, rest_.size());
    if (frame_ != nullptr) frame_->received(part);
    rest_ = rest_.subspan(part);
    bytes -= part;
    if (rest_.empty() && !payload_complete()) return false;
  }
  return true;
}

bool TcpSession::header_complete() {
  header_have_ = 0;
  const auto header = wire::parse_header(header_bytes_);
  if (!header) return violated(header.error());
  header_ = *header;
  if (header_.type != wire::MessageType::frame) {
    if (header_.payload_bytes == 0) return control({});
    frame_ = nullptr;
    rest_ = std::span{control_bytes_}.first(header_.payload_bytes);
    return true;
  }
  StreamReceiver* const stream = state_ == State::open ? find(header_.stream) : nullptr;
  if (stream == nullptr) return violated(wire::ParseError::bad_stream);
  const auto place = stream->begin(header_);
  if (!place) return violated(place.error());
  frame_ = stream;
  rest_ = *place;
  return true;
}

bool TcpSession::payload_complete() {
  if (frame_ == nullptr) return control(std::span{control_bytes_}.first(header_.payload_bytes));
  std::exchange(frame_, nullptr)->finish();
  return true;
}

void TcpSession::input_ended(std::string_view why) noexcept {
  const bool torn = frame_ != nullptr || header_have_ != 0;
  if (torn || !streams_.empty()) {
    if (const auto held_back = shared_.losses.admit(monotonic_ns())) {
      spdlog::warn(
          "connection lost id={} peer={} open_streams={} mid_frame={} reason=\"{}\" "
          "held_back={}",
          id_, peer_, streams_.size(), frame_ != nullptr, why, *held_back);
    }
  } else {
    spdlog::debug("connection ended id={} peer={} reason=\"{}\"", id_, peer_, why);
  }
  stop(FrameDrop::aborted);
}

void TcpSession::slots_returned() noexcept { announce_credit(); }

void TcpSession::announce_credit() noexcept {
  for (const auto& stream : streams_) {
    stream->top_up();
    // With messages still waiting to go out, the news would only be old when it arrives.
    if (writing_) continue;
    if (const auto total = stream->credit_to_announce()) {
      const auto message = wire::encode(stream->number(), wire::Credit{*total});
      if (!outbox_.add(message)) return stop(FrameDrop::aborted);
    }
  }
  flush();
}

void TcpSession::flush() noexcept {
  switch (outbox_.flush(socket_.native_handle())) {
    case Outbox::State::sent:
      return;
    case Outbox::State::waiting:
      return wait_writable();
    case Outbox::State::broken:
      return input_ended("it does not take our messages");
  }
}

void TcpSession::linger() {
  for (int i = 0; i < 16; ++i) {
    const ssize_t got =
        ::read(socket_.native_handle(), control_bytes_.data(), control_bytes_.size());
    if (got < 0 && (errno == EAGAIN || errno == EINTR)) return;
    if (got <= 0) return stop(FrameDrop::aborted);
  }
}

void TcpSession::refuse(wire::GoodbyeCode code, std::string_view text) {
  if (state_ == State::over || state_ == State::lingering) return;
  end_streams(code == wire::GoodbyeCode::shutting_down ? FrameDrop::shutdown : FrameDrop::aborted);
  state_ = State::lingering;
  const auto message = wire::encode_goodbye({static_cast<std::uint16_t>(code), std::string{text}});
  if (outbox_.add(message)) (void)outbox_.flush(socket_.native_handle());
  std::error_code ignored;
  socket_.shutdown(asio::ip::tcp::socket::shutdown_send, ignored);
  deadline_.expires_after(kLingerTime);
  deadline_.async_wait([self = shared_from_this()](std::error_code error) {
    if (!error) self->stop(FrameDrop::aborted);
  });
}

}  // namespace penstock
