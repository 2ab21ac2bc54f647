// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "client/load_options.hpp"
#include "client/load_report.hpp"
#include "client/rig.hpp"

#include <functional>

namespace penstock {

// Sends the sensors of a rig, one thread each, at their rates: lidars as datagrams, cameras and
// IMUs each over a session of their own. They drop what the server grants no slot for, as real
// sensors do, unless `options.on_no_credit` says otherwise. A sensor whose session fails keeps the
// error in its report; the others go on.
[[nodiscard]] LoadReport run_rig(const std::vector<RigSensor>& sensors, const LoadOptions& options,
                                 const std::function<bool()>& stopped);

}  // namespace penstock
