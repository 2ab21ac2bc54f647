// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#include "net/udp/udp_receiver.hpp"

#include "base/clock.hpp"
#include "net/formats/registry.hpp"
#include "net/frame_builder.hpp"
#include "net/udp/udp_socket.hpp"

#include <asio/steady_timer.hpp>
#include <spdlog/spdlog.h>

#include <array>
#include <chrono>
#include <optional>
#include <utility>

namespace penstock {
namespace {

// Datagrams that one sensor may hand in before the others have their turn.
constexpr int kTurn = 64;
constexpr int kLastTurn = 8192;

// Longer than any pause between two packets of a turning sensor; then it was switched off, and the
// turn that it began will not be completed.
constexpr auto kSilence = std::chrono::milliseconds{250};

constexpr std::size_t kMostSideBytes = 2048;

// A second of a lidar with two returns is 1.8 MB, and every datagram costs the OS as much again in
// overhead. Position packets come one at a time.
constexpr int kDataBufferBytes = 4 << 20;
constexpr int kSideBufferBytes = 64 << 10;

}  // namespace

struct UdpReceiver::State : std::enable_shared_from_this<State> {
  State(Reactor& reactor, const UdpEndpoint& endpoint_, std::string name_, StreamKind kind,
        StreamPort& port_)
      : endpoint{endpoint_},
        name{std::move(name_)},
        port{port_},
        builder{name, port_, make_assembler(kind)},
        data{reactor.context(), endpoint.address, endpoint.port, kDataBufferBytes, name},
        silence{reactor.context()} {
    if (endpoint.position_port != 0) {
      side.emplace(reactor.context(), endpoint.address, endpoint.position_port, kSideBufferBytes,
                   name);
    }
  }

  void wait_for_data() {
    data.asio().async_wait(asio::ip::udp::socket::wait_read,
                           [self = shared_from_this()](std::error_code error) {
                             if (error || self->stopped) return;
                             self->receive_data();
                             self->wait_for_data();
                           });
  }

  void wait_for_side() {
    side->asio().async_wait(asio::ip::udp::socket::wait_read,
                            [self = shared_from_this()](std::error_code error) {
                              if (error || self->stopped) return;
                              self->receive_side();
                              self->wait_for_side();
                            });
  }

  void receive_data() noexcept {
    const std::int64_t now = monotonic_ns();
    for (int i = 0; i < kTurn && receive_one(now); ++i) {
    }
    port.account->receiving.receive_queue_overflows.add(data.take_overflows());
    if (sensor && !watching) watch_for_silence();
  }

  // Near a seam the packet is looked at first and then received once more into the next frame, so
  // that the kernel's copy is the only one.
  bool receive_one(std::int64_t now) noexcept {
    const bool peek = builder.seam_near();
    const auto datagram = data.receive(builder.place(), peek);
    if (!datagram) return false;
    if (!from_our_sensor(datagram->from)) {
      if (peek) data.discard();
      builder.reject(PacketReject::other_sender, datagram->bytes);
      return true;
    }
    last_ns = now;
    const FrameBuilder::Next next = builder.commit(datagram->bytes, now);
    if (next == FrameBuilder::Next::again && peek) {
      (void)data.receive(builder.place(), false);
      builder.commit_again();
    } else if (next == FrameBuilder::Next::again) {
      builder.copy_across();
    } else if (peek) {
      data.discard();
    }
    return true;
  }

  // The first host that sends is the sensor, until it falls silent.
  bool from_our_sensor(const sockaddr_storage& from) noexcept {
    if (!sensor) sensor = from;
    return same_host(*sensor, from);
  }

  void receive_side() noexcept {
    std::array<std::byte, kMostSideBytes> buffer;
    for (int i = 0; i < kTurn; ++i) {
      const auto datagram = side->receive(buffer, false);
      if (!datagram) return;
      if (datagram->bytes > buffer.size()) {
        builder.reject(PacketReject::truncated, datagram->bytes);
      } else {
        builder.commit_side(std::span{buffer}.first(datagram->bytes));
      }
    }
  }

  // One timer for as long as the sensor sends, not one a packet.
  void watch_for_silence() {
    watching = true;
    silence.expires_after(kSilence);
    silence.async_wait([self = shared_from_this()](std::error_code error) {
      self->watching = false;
      if (error || self->stopped) return;
      const std::int64_t quiet_ns = monotonic_ns() - self->last_ns;
      if (quiet_ns >= std::chrono::nanoseconds{kSilence}.count()) {
        self->builder.flush();
        self->sensor.reset();
      } else {
        self->watch_for_silence();
      }
    });
  }

  void stop() noexcept {
    if (std::exchange(stopped, true)) return;
    // What came before the stop belongs to it; a sensor that goes on sending does not hold it up.
    const std::int64_t now = monotonic_ns();
    for (int i = 0; i < kLastTurn && receive_one(now); ++i) {
    }
    builder.flush();
    silence.cancel();
    data.close();
    if (side) side->close();
  }

  const UdpEndpoint endpoint;
  const std::string name;
  StreamPort& port;
  FrameBuilder builder;
  UdpSocket data;
  std::optional<UdpSocket> side;
  asio::steady_timer silence;
  std::optional<sockaddr_storage> sensor;
  std::int64_t last_ns = 0;
  bool watching = false;
  bool stopped = false;
};

UdpReceiver::UdpReceiver(Reactor& reactor, const UdpEndpoint& endpoint, std::string name,
                         StreamKind kind, StreamPort& port)
    : state_{std::make_shared<State>(reactor, endpoint, std::move(name), kind, port)} {}

UdpReceiver::~UdpReceiver() { stop(); }

std::string_view UdpReceiver::name() const noexcept { return state_->name; }

void UdpReceiver::start() {
  spdlog::info("udp receiving stream={} address={} port={} position_port={}", state_->name,
               state_->endpoint.address, state_->endpoint.port, state_->endpoint.position_port);
  state_->wait_for_data();
  if (state_->side) state_->wait_for_side();
}

void UdpReceiver::stop() noexcept { state_->stop(); }

}  // namespace penstock
