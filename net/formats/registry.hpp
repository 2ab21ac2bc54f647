// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "net/formats/assembler.hpp"
#include "net/wire/stream_kind.hpp"

#include <cstddef>
#include <memory>

namespace penstock {

// Whether packets of this kind travel by UDP, so that there is an assembler for them.
[[nodiscard]] bool has_assembler(StreamKind kind) noexcept;

// Bytes of the largest frame that the assembler of `kind` makes: what a slot must hold. 0 without
// an assembler.
[[nodiscard]] std::size_t largest_frame_bytes(StreamKind kind) noexcept;

// Null without an assembler.
[[nodiscard]] std::unique_ptr<Assembler> make_assembler(StreamKind kind);

}  // namespace penstock
