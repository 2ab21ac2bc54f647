// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace penstock::wire {

// CRC-32C (Castagnoli, RFC 3720): reflected polynomial 0x82F63B78, initial value and final XOR all
// ones; "123456789" gives 0xE3069283.
//
// By hand because the packaged implementations are not on every system we support, or not as a
// static archive, which the portable build needs.
//
// Cost: uses the SSE4.2 instruction where the processor has it, in three interleaved runs, since
// one run waits three cycles for each result.
[[nodiscard]] std::uint32_t crc32c(std::span<const std::byte> bytes) noexcept;

namespace detail {

// The two ways, for tests. `state` is the register, not the finished value.
[[nodiscard]] std::uint32_t crc32c_table(std::uint32_t state,
                                         std::span<const std::byte> bytes) noexcept;
[[nodiscard]] std::uint32_t crc32c_sse42(std::uint32_t state,
                                         std::span<const std::byte> bytes) noexcept;
[[nodiscard]] bool has_sse42() noexcept;

}  // namespace detail

}  // namespace penstock::wire
