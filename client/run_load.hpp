// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "client/load_options.hpp"
#include "client/load_report.hpp"

#include <functional>

namespace penstock {

// Sends synthetic frames (client/pattern.hpp): one thread and one session a connection, streams
// dealt out in turn. Ends after the frames, the duration, or when `stopped` says so; each stream is
// then closed in order, so that the server's counts are in the report.
//
// A connection that fails ends its own streams with the error in their reports; the others go on.
[[nodiscard]] LoadReport run_load(const LoadOptions& options, const std::function<bool()>& stopped);

}  // namespace penstock
