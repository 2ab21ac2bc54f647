// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/recipe.hpp"
#include "net/wire/open_stream.hpp"
#include "server/config.hpp"

#include <cstddef>
#include <cstdint>

namespace penstock {

// What one stream needs of the slab: slots for its frames, and slots for what the kernel makes of
// them.
struct StreamPlan {
  StreamKind kind = StreamKind::raw;
  Recipe recipe;
  std::size_t slot_bytes = 0;  // whole pages
  std::uint32_t slots = 0;
  std::size_t result_slot_bytes = 0;  // whole pages; 0: the recipe makes no result
  std::uint32_t result_slots = 0;

  [[nodiscard]] std::size_t frame_memory() const noexcept { return slot_bytes * slots; }
  [[nodiscard]] std::size_t result_memory() const noexcept {
    return result_slot_bytes * result_slots;
  }
  [[nodiscard]] std::size_t bytes() const noexcept { return frame_memory() + result_memory(); }
};

// Fewer slots than this and a stream cannot receive one frame while the last is being decoded.
inline constexpr std::uint32_t kLeastSlots = 2;

// A stream that stands in the configuration and comes over UDP. Its frames are as long as its
// format says.
[[nodiscard]] StreamPlan plan(const StreamConfig& stream);

// A stream that a native client asks for. Slots: what it wished, else as many as 16 MiB hold,
// within 4 and 64.
[[nodiscard]] StreamPlan plan(const wire::OpenStream& request, bool checksum);

// The same stream with as few slots as it can live with, for when the full plan does not fit.
[[nodiscard]] StreamPlan least(StreamPlan plan) noexcept;

}  // namespace penstock
