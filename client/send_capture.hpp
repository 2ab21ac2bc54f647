// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "client/load_options.hpp"
#include "client/load_report.hpp"

#include <functional>

namespace penstock {

// Sends the UDP datagrams of a capture to the host of `options.to`, each to the port that it was
// recorded for, at the pace of `options.pace`. One report entry a port. Throws Error when the file
// is missing or no capture; one that ends in the middle of a record is an error in the report.
[[nodiscard]] LoadReport send_capture(const LoadOptions& options,
                                      const std::function<bool()>& stopped);

}  // namespace penstock
