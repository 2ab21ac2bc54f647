// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#include "client/sender.hpp"

#include "base/clock.hpp"
#include "client/connection.hpp"
#include "net/wire/control.hpp"
#include "net/wire/crc32c.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <vector>

namespace penstock {
namespace {

using wire::MessageType;

constexpr std::int64_t kForEver = std::numeric_limits<std::int64_t>::max();

wire::OpenStream request_of(const StreamOptions& options) {
  const auto kind = stream_kind(std::string_view{options.kind});
  if (!kind) throw SenderError{fmt::format("there is no stream kind \"{}\"", options.kind)};
  if (!wire::is_stream_name(options.name)) {
    throw SenderError{
        fmt::format("\"{}\" cannot name a stream: 1 to 64 of a-z A-Z 0-9 _ - .", options.name)};
  }
  return {.name = options.name,
          .kind = *kind,
          .max_frame_bytes = options.max_frame_bytes,
          .width = options.width,
          .height = options.height,
          .slots_wanted = options.slots_wanted};
}

}  // namespace

struct Sender::State {
  struct Outgoing {
    bool open = false;
    bool payload_crc = false;
    std::uint64_t max_frame_bytes = 0;
    std::uint64_t credit = 0;  // frames that may have been sent in all
    std::uint64_t sent = 0;
    std::uint64_t unsent = 0;
    std::string name;
  };

  explicit State(const SenderOptions& options_) : options{options_}, connection{options_} {
    streams.reserve(wire::kMaxStreamsPerSession);
    connection.send(wire::encode(wire::Hello{}));
    const Connection::Message answer = expect(MessageType::welcome, 0, "a welcome");
    if (!wire::parse_welcome(answer.payload)) bad_answer();
  }

  [[noreturn]] void bad_answer() const {
    throw SenderError{fmt::format("{} does not keep to the protocol", connection.peer())};
  }

  [[nodiscard]] std::int64_t deadline() const noexcept {
    return monotonic_ns() + std::int64_t{options.timeout_ms} * 1'000'000;
  }

  // The answer to what was asked; credits that come before it are taken on the way.
  Connection::Message expect(MessageType type, std::uint32_t stream, std::string_view what) {
    const std::int64_t until = deadline();
    while (const auto message = connection.receive(until)) {
      if (message->header.type == type && message->header.stream == stream) return *message;
      if (message->header.type == MessageType::refused) refused(*message);
      take(*message);
    }
    throw SenderError{fmt::format("no answer from {} within {} ms: {} was expected",
                                  connection.peer(), options.timeout_ms, what)};
  }

  [[noreturn]] void refused(const Connection::Message& message) const {
    const auto reason = wire::parse_reason(message.payload);
    throw SenderError{fmt::format("{} refused: {}", connection.peer(),
                                  reason ? reason->text : "no reason given")};
  }

  void take(const Connection::Message& message) {
    const auto credit = wire::parse_credit(message.payload);
    if (message.header.type != MessageType::credit || !credit) bad_answer();
    if (message.header.stream == 0 || message.header.stream > streams.size()) bad_answer();
    Outgoing& stream = streams[message.header.stream - 1];
    stream.credit = std::max(stream.credit, credit->total);
  }

  void take_what_is_here() {
    while (const auto message = connection.receive(0)) take(*message);
  }

  // False when none came in time.
  bool wait_for_credit(const Outgoing& stream, std::int64_t until) {
    while (stream.sent >= stream.credit) {
      const auto message = connection.receive(until);
      if (!message) return false;
      take(*message);
    }
    return true;
  }

  Outgoing& at(Stream number) {
    if (number == 0 || number > streams.size() || !streams[number - 1].open) {
      throw SenderError{fmt::format("stream {} is not open", number)};
    }
    return streams[number - 1];
  }

  const SenderOptions options;
  Connection connection;
  std::vector<Outgoing> streams;  // number - 1
};

Sender::Sender(const SenderOptions& options) : state_{std::make_unique<State>(options)} {}
Sender::Sender(Sender&&) noexcept = default;
Sender& Sender::operator=(Sender&&) noexcept = default;
Sender::~Sender() = default;

Sender::Stream Sender::open(const StreamOptions& options) {
  State& state = *state_;
  const wire::OpenStream request = request_of(options);
  const auto number = static_cast<Stream>(state.streams.size() + 1);
  state.connection.send(wire::encode(number, request));
  // Counted from now on: a credit may come right behind the answer.
  state.streams.push_back({.payload_crc = options.payload_crc,
                           .max_frame_bytes = options.max_frame_bytes,
                           .name = options.name});
  const auto answer = state.expect(MessageType::stream_opened, number, "an opened stream");
  if (!wire::parse_stream_opened(answer.payload)) state.bad_answer();
  State::Outgoing& stream = state.streams.back();
  stream.open = true;
  // The first credit comes right behind; without waiting for it a sender that drops would begin
  // with a drop.
  (void)state.wait_for_credit(stream, state.deadline());
  return number;
}

bool Sender::send(Stream number, std::span<const std::byte> payload, std::int64_t sensor_time_ns,
                  OnNoCredit policy) {
  State& state = *state_;
  State::Outgoing& stream = state.at(number);
  if (payload.empty() || payload.size() > stream.max_frame_bytes) {
    throw SenderError{fmt::format("stream {}: a frame of {} bytes; 1 to {} were agreed",
                                  stream.name, payload.size(), stream.max_frame_bytes)};
  }
  if (stream.sent >= stream.credit) state.take_what_is_here();
  if (stream.sent >= stream.credit) {
    if (policy == OnNoCredit::drop) {
      ++stream.unsent;
      return false;
    }
    (void)state.wait_for_credit(stream, kForEver);
  }
  const auto header =
      wire::encode(wire::Header{.type = MessageType::frame,
                                .has_payload_crc = stream.payload_crc,
                                .stream = number,
                                .payload_crc = stream.payload_crc ? wire::crc32c(payload) : 0,
                                .payload_bytes = payload.size(),
                                .sequence = stream.sent + stream.unsent,
                                .sensor_time_ns = sensor_time_ns,
                                .unsent = stream.unsent});
  state.connection.send(header, payload);
  ++stream.sent;
  return true;
}

bool Sender::wait_for_credit(Stream number, int timeout_ms) {
  const State::Outgoing& stream = state_->at(number);
  if (stream.sent < stream.credit) return true;
  return state_->wait_for_credit(stream, monotonic_ns() + std::int64_t{timeout_ms} * 1'000'000);
}

SentCounts Sender::close(Stream number) {
  State& state = *state_;
  State::Outgoing& stream = state.at(number);
  state.connection.send(wire::encode(number, wire::CloseStream{stream.sent, stream.unsent}));
  const auto answer = state.expect(MessageType::stream_closed, number, "the stream's counts");
  const auto counts = wire::parse_stream_closed(answer.payload);
  if (!counts) state.bad_answer();
  stream.open = false;
  return {.sent = stream.sent,
          .unsent = stream.unsent,
          .received = counts->received,
          .crc_mismatches = counts->crc_mismatches};
}

void Sender::goodbye() { state_->connection.send(wire::encode_goodbye({0, "done"})); }

}  // namespace penstock
