// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#include "net/tcp/tcp_listener.hpp"

#include "base/clock.hpp"
#include "base/error.hpp"
#include "net/tcp/session.hpp"
#include "net/tcp/socket_options.hpp"

#include <asio/ip/tcp.hpp>
#include <asio/ip/v6_only.hpp>
#include <asio/steady_timer.hpp>
#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <chrono>
#include <vector>

namespace penstock {
namespace {

using asio::ip::tcp;

// A rig has a handful of connections; this many are a mistake or an attack, and each costs 20 KiB.
constexpr std::size_t kMostSessions = 1024;
constexpr auto kPauseWithoutDescriptors = std::chrono::milliseconds{100};

std::string text_of(const tcp::endpoint& endpoint) {
  return endpoint.address().is_v6()
             ? fmt::format("[{}]:{}", endpoint.address().to_string(), endpoint.port())
             : fmt::format("{}:{}", endpoint.address().to_string(), endpoint.port());
}

tcp::acceptor listen(asio::io_context& context, const TcpEndpoint& where) {
  const tcp::endpoint endpoint{asio::ip::make_address(where.address), where.port};
  tcp::acceptor acceptor{context};
  try {
    acceptor.open(endpoint.protocol());
    acceptor.set_option(tcp::acceptor::reuse_address{true});
    if (endpoint.address().is_v6()) acceptor.set_option(asio::ip::v6_only{false});
    acceptor.bind(endpoint);
    acceptor.listen();
    acceptor.non_blocking(true);
  } catch (const std::system_error& error) {
    throw Error{error.code(), "listen on tcp " + text_of(endpoint),
                "is another server running there? set listen.tcp to a free port, or to an address "
                "of this machine"};
  }
  return acceptor;
}

}  // namespace

struct TcpListener::State : std::enable_shared_from_this<State> {
  State(Reactor& reactor, const TcpEndpoint& endpoint, StreamHost& host)
      : acceptor{listen(reactor.context(), endpoint)},
        pause{reactor.context()},
        shared{.reactor = reactor, .host = host} {}

  void accept() {
    acceptor.async_accept([self = shared_from_this()](std::error_code error, tcp::socket socket) {
      if (!self->acceptor.is_open()) return;
      if (error) return self->accept_failed(error);
      self->took(std::move(socket));
      self->accept();
    });
  }

  void accept_failed(std::error_code error) {
    if (const auto held_back = accept_failures.admit(monotonic_ns())) {
      spdlog::warn("connection not accepted error=\"{}\" held_back={}", error.message(),
                   *held_back);
    }
    pause.expires_after(kPauseWithoutDescriptors);
    pause.async_wait([self = shared_from_this()](std::error_code cancelled) {
      if (!cancelled && self->acceptor.is_open()) self->accept();
    });
  }

  void took(tcp::socket socket) {
    std::erase_if(sessions, [](const auto& session) { return session->over(); });
    std::error_code gone;
    const tcp::endpoint peer = socket.remote_endpoint(gone);
    if (gone) return;  // it has left again
    set_up_stream_socket(socket);
    auto session =
        std::make_shared<TcpSession>(next_id++, std::move(socket), text_of(peer), shared);
    sessions.push_back(session);
    session->start();
    if (sessions.size() > kMostSessions) {
      session->refuse(wire::GoodbyeCode::too_many_sessions,
                      fmt::format("this server takes {} connections at once", kMostSessions));
    }
  }

  tcp::acceptor acceptor;
  asio::steady_timer pause;
  TcpSession::Shared shared;
  LogLimit accept_failures;
  std::uint64_t next_id = 1;
  std::vector<std::shared_ptr<TcpSession>> sessions;
};

TcpListener::TcpListener(Reactor& reactor, const TcpEndpoint& endpoint, StreamHost& host)
    : state_{std::make_shared<State>(reactor, endpoint, host)} {}

TcpListener::~TcpListener() { stop(); }

void TcpListener::start() {
  spdlog::info("tcp listening address={}", text_of(state_->acceptor.local_endpoint()));
  state_->accept();
}

void TcpListener::stop() noexcept {
  std::error_code ignored;
  state_->acceptor.close(ignored);
  state_->pause.cancel();
  for (const auto& session : state_->sessions) {
    // The goodbye tells a client that it was not its fault; the socket closes right behind it.
    session->refuse(wire::GoodbyeCode::shutting_down, "the server is shutting down");
    session->stop(FrameDrop::shutdown);
  }
  state_->sessions.clear();
}

std::uint16_t TcpListener::port() const { return state_->acceptor.local_endpoint().port(); }

}  // namespace penstock
