// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#include "base/error.hpp"
#include "gpu/device.hpp"

#include <spdlog/spdlog.h>

namespace penstock {
namespace {

std::unique_ptr<Device> first_that_works(const DeviceChoice& choice) {
  try {
    auto device = make_cuda_device(choice);
    spdlog::info("device chosen device=\"{}\" reason=\"device: auto, and it works\"",
                 device->description());
    return device;
  } catch (const Error& error) {
    spdlog::info("device chosen device=host reason=\"device: auto, and {}\"", error.what());
  }
  return make_host_device(choice);
}

}  // namespace

std::unique_ptr<Device> make_device(const DeviceChoice& choice) {
  switch (choice.kind) {
    case DeviceChoice::Kind::host:
      return make_host_device(choice);
    case DeviceChoice::Kind::cuda:
      return make_cuda_device(choice);
    case DeviceChoice::Kind::automatic:
      break;
  }
  return first_that_works(choice);
}

}  // namespace penstock
