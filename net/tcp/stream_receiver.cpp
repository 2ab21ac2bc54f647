// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#include "net/tcp/stream_receiver.hpp"

#include "base/clock.hpp"
#include "net/wire/crc32c.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace penstock {
namespace {

constexpr std::uint64_t kImuSampleBytes = 56;
constexpr std::uint64_t kVlp16PacketBytes = 1206;

auto broken(wire::GoodbyeCode code, std::string text) {
  return tl::unexpected{Violation{code, std::move(text)}};
}

}  // namespace

StreamReceiver::StreamReceiver(std::uint32_t number, wire::OpenStream request, StreamPort& port)
    : number_{number}, request_{std::move(request)}, port_{port}, granted_(port.slots->slots()) {}

void StreamReceiver::top_up() noexcept {
  const auto take_all = [this] {
    while (held_ < granted_.size()) {
      FrameWriter writer = port_.slots->acquire();
      if (!writer) return false;
      granted_[(first_ + held_++) % granted_.size()] = std::move(writer);
    }
    return true;
  };
  if (take_all()) return;
  // A sender with plenty of credit will be topped up when its next frame comes: no need to be
  // woken.
  if (announced_ - begun_ > granted_.size() / 2) return;
  port_.slots->wake_when_returned();
  take_all();  // one may have come back just before
}

std::optional<std::uint64_t> StreamReceiver::credit_to_announce() noexcept {
  const std::uint64_t total = begun_ + held_;
  if (total == announced_) return std::nullopt;
  const std::uint64_t sender_has = announced_ - begun_;
  // A sender that has plenty does not need to hear of every slot.
  if (total - announced_ < granted_.size() / 4 && sender_has > granted_.size() / 2) {
    return std::nullopt;
  }
  announced_ = total;
  return total;
}

bool StreamReceiver::length_fits(std::uint64_t bytes) const noexcept {
  if (bytes == 0 || bytes > request_.max_frame_bytes || bytes > port_.slots->slot_bytes()) {
    return false;
  }
  switch (request_.kind) {
    case StreamKind::raw:
      return true;
    case StreamKind::imu:
      return bytes % kImuSampleBytes == 0;
    case StreamKind::velodyne_vlp16:
      return bytes % kVlp16PacketBytes == 0;
    case StreamKind::bayer_rg8:
    case StreamKind::bayer_gr8:
    case StreamKind::bayer_gb8:
    case StreamKind::bayer_bg8:
    case StreamKind::uyvy:
      return bytes == image_bytes(request_.kind, request_.width, request_.height);
  }
  return false;
}

void StreamReceiver::note_unsent(std::uint64_t unsent) noexcept {
  port_.account->receiving.frames_unsent.add(unsent - unsent_);
  unsent_ = unsent;
}

tl::expected<std::span<std::byte>, Violation> StreamReceiver::begin(const wire::Header& header) {
  using wire::GoodbyeCode;
  // Only what was announced is credit: a slot that we hold and have not told of may not be used.
  if (begun_ == announced_ || held_ == 0) {
    return broken(GoodbyeCode::no_credit,
                  fmt::format("stream {}: frame {} came without credit", number_, header.sequence));
  }
  if (!length_fits(header.payload_bytes)) {
    return broken(
        GoodbyeCode::protocol_error,
        fmt::format("stream {}: bad_payload_bytes {}: not a {} frame of at most {} bytes", number_,
                    header.payload_bytes, name(request_.kind), request_.max_frame_bytes));
  }
  if (header.unsent < unsent_ || header.sequence != begun_ + header.unsent) {
    return broken(GoodbyeCode::protocol_error,
                  fmt::format("stream {}: bad_sequence {}: {} frames were sent and {} unsent",
                              number_, header.sequence, begun_, header.unsent));
  }
  note_unsent(header.unsent);
  filling_ = std::move(granted_[first_]);
  first_ = (first_ + 1) % granted_.size();
  --held_;
  ++begun_;
  header_ = header;
  began_ns_ = monotonic_ns();
  return filling_.bytes().first(header.payload_bytes);
}

void StreamReceiver::finish() noexcept {
  StreamAccount::Receiving& books = port_.account->receiving;
  books.frames_completed.add();
  const auto payload = std::as_const(filling_).bytes().first(header_.payload_bytes);
  if (header_.has_payload_crc && wire::crc32c(payload) != header_.payload_crc) {
    books.frames_dropped.add(FrameDrop::crc_mismatch);
    ++crc_mismatches_;
    filling_ = {};
    return;
  }
  port_.publish(std::move(filling_), {.stream = port_.id,
                                      .sequence = header_.sequence,
                                      .sensor_time_ns = header_.sensor_time_ns,
                                      .received_ns = began_ns_,
                                      .completed_ns = monotonic_ns(),
                                      .bytes = header_.payload_bytes,
                                      .bytes_expected = header_.payload_bytes});
}

void StreamReceiver::abort(FrameDrop cause) noexcept {
  if (!filling_) return;
  StreamAccount::Receiving& books = port_.account->receiving;
  books.frames_completed.add();
  books.frames_partial.add();
  books.frames_dropped.add(cause);
  filling_ = {};
}

tl::expected<wire::StreamClosed, Violation> StreamReceiver::close(const wire::CloseStream& counts) {
  if (counts.sent != begun_ || counts.unsent < unsent_) {
    return broken(wire::GoodbyeCode::protocol_error,
                  fmt::format("stream {}: closed with {} sent and {} unsent; {} and {} were seen",
                              number_, counts.sent, counts.unsent, begun_, unsent_));
  }
  note_unsent(counts.unsent);
  return wire::StreamClosed{.received = begun_, .crc_mismatches = crc_mismatches_};
}

void StreamReceiver::release() noexcept {
  filling_ = {};
  for (FrameWriter& writer : granted_) writer = {};
  held_ = 0;
}

}  // namespace penstock
