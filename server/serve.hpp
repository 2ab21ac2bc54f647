// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "server/options.hpp"
#include "server/signals.hpp"

namespace penstock {

// `penstock serve`: runs until a signal, the duration or the end of the replay, drains, and writes
// the closing account. The exit code.
//
// Thread: main.
[[nodiscard]] int serve(const Options& options, const Signals& signals);

}  // namespace penstock
