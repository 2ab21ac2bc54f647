// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#include "base/human_bytes.hpp"
#include "gpu/cuda/cuda_error.hpp"
#include "gpu/cuda/cuda_queue.hpp"
#include "gpu/cuda/registration.hpp"
#include "gpu/device.hpp"

#include <cuda_runtime_api.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <string>
#include <utility>

namespace penstock {
namespace {

std::error_code unregister(std::span<std::byte> bytes) noexcept {
  std::error_code first;
  for (std::size_t at = 0; at < bytes.size(); at += kRegistrationBytes) {
    const cudaError_t result = ::cudaHostUnregister(bytes.data() + at);
    if (result == cudaSuccess) continue;
    (void)::cudaGetLastError();
    if (!first) first = cuda_code(result);
  }
  return first;
}

int attribute(cudaDeviceAttr which, int device) {
  int value = 0;
  require_cuda(::cudaDeviceGetAttribute(&value, which, device), "ask the GPU what it can do");
  return value;
}

std::string name_of(int device) {
  cudaDeviceProp properties{};
  require_cuda(::cudaGetDeviceProperties(&properties, device), "ask the GPU for its name");
  return properties.name;
}

class CudaDevice final : public Device {
 public:
  CudaDevice(int index, bool allow_mapped)
      : index_{index}, name_{name_of(index)}, mapped_{allow_mapped && can_map(index)} {}

  [[nodiscard]] std::string description() const override {
    return "cuda:" + std::to_string(index_) + " " + name_ +
           (mapped_ ? ", mapped memory" : ", copies");
  }
  [[nodiscard]] Delivery delivery() const noexcept override {
    return mapped_ ? Delivery::mapped : Delivery::copied;
  }

  [[nodiscard]] PinnedMemory pin(Mapping mapping) override {
    require_cuda(::cudaSetDevice(index_), "select the GPU");
    const std::span<std::byte> bytes = mapping.bytes();
    const unsigned flags = cudaHostRegisterPortable | (mapped_ ? cudaHostRegisterMapped : 0u);
    for (std::size_t at = 0; at < bytes.size(); at += kRegistrationBytes) {
      const std::size_t chunk = std::min(kRegistrationBytes, bytes.size() - at);
      const cudaError_t result = ::cudaHostRegister(bytes.data() + at, chunk, flags);
      if (result == cudaSuccess) continue;
      (void)unregister(bytes.first(at));
      require_cuda(result, "register " + human_bytes(bytes.size()) + " of memory with the GPU",
                   "lower memory.pinned_limit; in a container the memory limit counts as well");
    }
    return {std::move(mapping), mapped_ ? device_address(bytes) : nullptr, unregister};
  }

  [[nodiscard]] std::unique_ptr<DeviceQueue> make_queue(const PinnedMemory& slab) override {
    return std::make_unique<CudaQueue>(index_, slab);
  }

 private:
  static bool can_map(int index) {
    if (attribute(cudaDevAttrCanMapHostMemory, index) != 0) return true;
    spdlog::warn("gpu cannot map host memory device={} action=\"frames are copied\"", index);
    return false;
  }

  // Kernels address the slab by offsets, so its chunks must follow one another on the device as
  // they do on the host.
  std::byte* device_address(std::span<std::byte> bytes) {
    std::byte* base = nullptr;
    for (std::size_t at = 0; at < bytes.size(); at += kRegistrationBytes) {
      void* pointer = nullptr;
      const cudaError_t result = ::cudaHostGetDevicePointer(&pointer, bytes.data() + at, 0);
      auto* const address = static_cast<std::byte*>(pointer);
      if (at == 0) base = address;
      if (result == cudaSuccess && address == base + at) continue;
      (void)::cudaGetLastError();
      spdlog::warn(
          "gpu cannot use pinned memory in place device={} cause=\"{}\" "
          "action=\"frames are copied\"",
          index_, result == cudaSuccess ? "mapped in pieces" : ::cudaGetErrorString(result));
      mapped_ = false;
      return nullptr;
    }
    return base;
  }

  const int index_;
  const std::string name_;
  bool mapped_;
};

}  // namespace

std::unique_ptr<Device> make_cuda_device(const DeviceChoice& choice) {
  int count = 0;
  const cudaError_t result = ::cudaGetDeviceCount(&count);
  if (result != cudaSuccess || count == 0) {
    (void)::cudaGetLastError();
    throw Error{Errc::device_not_found,
                std::string{"device: cuda was asked for, and "} +
                    (result == cudaSuccess ? "there is no GPU" : ::cudaGetErrorString(result)),
                "install or update the NVIDIA driver, start the container with its GPUs, or set "
                "`device: host`"};
  }
  if (choice.index < 0 || choice.index >= count) {
    throw Error{Errc::device_not_found,
                "device: cuda:" + std::to_string(choice.index) +
                    " was asked for, and this machine "
                    "has " +
                    std::to_string(count) + " GPU(s), numbered from 0",
                "name one of those, or set `device: host`"};
  }
  // Before any memory is registered: else the first GPU gets a context that nobody wants.
  require_cuda(::cudaSetDevice(choice.index), "select the GPU");
  return std::make_unique<CudaDevice>(choice.index, choice.allow_mapped);
}

}  // namespace penstock
