// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>
#include <system_error>

namespace penstock {

// Sets up the one process-wide logger: stderr, one line an event, `key=value` pairs. `level` is one
// of trace, debug, info, warning, error, critical, off. Call it once, first thing in main.
void set_up_logging(std::string_view level);

// A destroy call failed. Logged and then forgotten: the callers are destructors, and leaking one
// handle is better than dying in the middle of a shutdown.
void log_leak(std::string_view what, std::error_code error) noexcept;

}  // namespace penstock
