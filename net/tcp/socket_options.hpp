// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <asio/ip/tcp.hpp>

namespace penstock {

// What every native connection has, at both ends: no waiting to fill a segment, and a peer whose
// cable was pulled is noticed within about ten seconds although it never says so.
void set_up_stream_socket(asio::ip::tcp::socket& socket) noexcept;

}  // namespace penstock
