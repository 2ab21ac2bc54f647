// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <span>

namespace penstock {

// Control messages on their way to one peer. A peer that does not read them is let go when they no
// longer fit: it can cost us this much memory and no more.
//
// Thread: the reactor. Cost: allocates nothing.
class Outbox {
 public:
  enum class State { sent, waiting, broken };

  // False when it does not fit.
  [[nodiscard]] bool add(std::span<const std::byte> message) noexcept;

  // Writes what the socket takes without waiting. `waiting`: call again when it is writable.
  [[nodiscard]] State flush(int socket) noexcept;

  [[nodiscard]] bool empty() const noexcept { return bytes_ == 0; }

 private:
  std::array<std::byte, 16 * 1024> buffer_{};
  std::size_t bytes_ = 0;
};

}  // namespace penstock
