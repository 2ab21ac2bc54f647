// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#include "base/error.hpp"
#include "gpu/device.hpp"

namespace penstock {

std::unique_ptr<Device> make_cuda_device(const DeviceChoice& /*choice*/) {
  throw Error{Errc::unsupported, "device: cuda was asked for",
              "this build has no CUDA: install CUDA Toolkit 12 or 13 and build again, or set "
              "`device: host`"};
}

}  // namespace penstock
