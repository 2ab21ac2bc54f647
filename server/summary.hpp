// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "server/stream_table.hpp"

#include <nlohmann/json_fwd.hpp>

#include <cstddef>
#include <string>

namespace penstock {

// What the server as a whole has to say at the end, beside its streams.
struct ServerFacts {
  std::string device;
  std::size_t pinned_bytes = 0;
  std::uint64_t frames_recorded = 0;
  std::uint64_t frames_not_recorded = 0;  // skipped or failed
  double seconds = 0;
};

// Whether the books of every stream balance.
[[nodiscard]] bool books_balanced(const StreamTable& streams);

// The closing account, as `--summary` writes it. Its keys are an interface: they stay.
[[nodiscard]] nlohmann::ordered_json summary_json(const StreamTable& streams,
                                                  const ServerFacts& facts);

// The same for a person: one block a stream, and whether the books balance.
[[nodiscard]] std::string summary_text(const StreamTable& streams, const ServerFacts& facts);

// Writes to a temporary name and renames, so that a reader never sees half a file. Throws Error.
void write_file(const std::string& path, const std::string& text);

}  // namespace penstock
