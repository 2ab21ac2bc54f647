// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#include "net/replay/replay_source.hpp"

#include "base/clock.hpp"
#include "net/formats/registry.hpp"
#include "net/frame_builder.hpp"
#include "net/replay/capture_file.hpp"

#include <asio/post.hpp>
#include <asio/steady_timer.hpp>
#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstring>
#include <map>
#include <utility>

namespace penstock {
namespace {

// Datagrams before the reactor's other work has its turn.
constexpr int kTurn = 256;

}  // namespace

struct ReplaySource::State : std::enable_shared_from_this<State>, Reactor::SlotWaiter {
  struct Stream {
    ReplayRoute route;
    std::unique_ptr<FrameBuilder> builder;
    std::uint64_t datagrams = 0;
  };

  State(Reactor& reactor_, std::string path, Pace pace, std::vector<ReplayRoute> routes)
      : reactor{reactor_},
        file{std::move(path),
             [this](std::optional<std::uint16_t> port, std::size_t bytes) { broken(port, bytes); }},
        pacer{pace},
        timer{reactor_.context()} {
    for (ReplayRoute& route : routes) {
      auto builder =
          std::make_unique<FrameBuilder>(route.name, *route.port, make_assembler(route.kind));
      streams.push_back({.route = std::move(route), .builder = std::move(builder)});
    }
  }

  void play_soon() {
    asio::post(reactor.context(), [self = shared_from_this()] { self->play(); });
  }

  void play() {
    for (int i = 0; i < kTurn; ++i) {
      if (over || waiting_for_slot) return;
      if (!pending) {
        pending = file.next();
        if (!pending) return end();
        due_ns = pacer.due_ns(pending->time_ns, monotonic_ns());
      }
      if (due_ns > monotonic_ns()) return wait_until_due();
      if (!deliver(pending->udp)) return;
      pending.reset();
    }
    play_soon();
  }

  void wait_until_due() {
    timer.expires_after(std::chrono::nanoseconds{due_ns - monotonic_ns()});
    timer.async_wait([self = shared_from_this()](std::error_code error) {
      if (!error) self->play();
    });
  }

  // False when it must wait for a slot: a file, unlike a sensor, can.
  bool deliver(const UdpDatagram& udp) {
    for (Stream& stream : streams) {
      if (udp.port == stream.route.data_port) return deliver_data(stream, udp);
      if (udp.port == stream.route.position_port && udp.port != 0) {
        if (udp.payload.size() < udp.payload_bytes) {
          stream.builder->reject(PacketReject::truncated, udp.payload.size());
        } else {
          stream.builder->commit_side(udp.payload);
        }
        return true;
      }
    }
    ++elsewhere[udp.port];
    return true;
  }

  bool deliver_data(Stream& stream, const UdpDatagram& udp) {
    FrameBuilder& builder = *stream.builder;
    if (udp.payload.size() < udp.payload_bytes) {
      builder.reject(PacketReject::truncated, udp.payload.size());
    } else if (udp.payload.size() != builder.packet_bytes()) {
      builder.reject(PacketReject::unexpected_length, udp.payload.size());
    } else {
      if (!builder.ready()) {
        waiting_for_slot = true;
        return false;
      }
      write(udp.payload, builder.place());
      if (builder.commit(udp.payload.size(), monotonic_ns()) == FrameBuilder::Next::again) {
        write(udp.payload, builder.place());
        builder.commit_again();
      }
    }
    ++stream.datagrams;
    return true;
  }

  // The file stands where the socket stands: this is its one copy, not one of ours.
  static void write(std::span<const std::byte> payload, std::span<std::byte> place) noexcept {
    std::memcpy(place.data(), payload.data(), payload.size());
  }

  void slots_returned() noexcept override {
    if (std::exchange(waiting_for_slot, false)) play();
  }

  void broken(std::optional<std::uint16_t> port, std::size_t bytes) {
    for (Stream& stream : streams) {
      if (port == stream.route.data_port) {
        stream.builder->reject(PacketReject::bad_fragment, bytes);
        ++stream.datagrams;
      }
    }
  }

  void end() {
    if (std::exchange(over, true)) return;
    reactor.remove(*this);
    timer.cancel();
    for (Stream& stream : streams) stream.builder->flush();
    failure = why_it_failed();
    finished = true;
    spdlog::info("replay ended file={} failure=\"{}\"", file.path(), failure.value_or("none"));
  }

  [[nodiscard]] std::optional<std::string> why_it_failed() const {
    if (auto fault = file.fault()) return fault;
    for (const Stream& stream : streams) {
      if (stream.datagrams == 0 && !pending) return nothing_came(stream);
    }
    return std::nullopt;
  }

  [[nodiscard]] std::string nothing_came(const Stream& stream) const {
    std::vector<std::pair<std::uint16_t, std::uint64_t>> ports(elsewhere.begin(), elsewhere.end());
    for (const Stream& other : streams) {
      if (other.datagrams != 0) ports.emplace_back(other.route.data_port, other.datagrams);
    }
    std::sort(ports.begin(), ports.end(), [](auto& a, auto& b) { return a.second > b.second; });
    constexpr std::size_t kMostNamed = 8;
    std::string found = ports.empty() ? "no UDP datagram at all" : "";
    for (std::size_t i = 0; i < std::min(ports.size(), kMostNamed); ++i) {
      found += fmt::format("{}port {} ({})", i == 0 ? "datagrams to " : ", ", ports[i].first,
                           ports[i].second);
    }
    return fmt::format(
        "no datagram in {} went to port {} of stream {}; the file has {}. Set "
        "udp.port to the port that the sensor sent to",
        file.path(), stream.route.data_port, stream.route.name, found);
  }

  Reactor& reactor;
  std::vector<Stream> streams;  // above the file, which tells them of broken fragments
  CaptureFile file;
  Pacer pacer;
  asio::steady_timer timer;
  std::optional<CaptureFile::Datagram> pending;  // read, not delivered yet
  std::int64_t due_ns = 0;
  bool waiting_for_slot = false;
  bool over = false;
  std::map<std::uint16_t, std::uint64_t> elsewhere;  // datagrams that no stream wants, by port
  std::optional<std::string> failure;
  std::atomic<bool> finished{false};
};

ReplaySource::ReplaySource(Reactor& reactor, std::string file, Pace pace,
                           std::vector<ReplayRoute> routes)
    : state_{std::make_shared<State>(reactor, std::move(file), pace, std::move(routes))} {}

ReplaySource::~ReplaySource() { stop(); }

std::string_view ReplaySource::name() const noexcept { return "replay"; }

void ReplaySource::start() {
  state_->reactor.add(*state_);
  state_->play_soon();
}

void ReplaySource::stop() noexcept {
  if (state_->over) return;
  state_->over = true;
  state_->reactor.remove(*state_);
  state_->timer.cancel();
  for (State::Stream& stream : state_->streams) stream.builder->flush();
}

bool ReplaySource::finished() const noexcept { return state_->finished; }

std::optional<std::string> ReplaySource::failure() const { return state_->failure; }

}  // namespace penstock
