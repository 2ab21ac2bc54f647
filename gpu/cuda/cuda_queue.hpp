// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/unique_handle.hpp"
#include "gpu/coalesce.hpp"
#include "gpu/cuda/cuda_error.hpp"
#include "gpu/device.hpp"
#include "kernels/job.hpp"

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace penstock {

struct CudaStreamTraits {
  using Handle = cudaStream_t;
  static constexpr Handle kNone = nullptr;
  static constexpr std::string_view kName = "CUDA stream";
  static std::error_code destroy(Handle h) noexcept { return cuda_code(::cudaStreamDestroy(h)); }
};
struct CudaEventTraits {
  using Handle = cudaEvent_t;
  static constexpr Handle kNone = nullptr;
  static constexpr std::string_view kName = "CUDA event";
  static std::error_code destroy(Handle h) noexcept { return cuda_code(::cudaEventDestroy(h)); }
};
struct CudaHostMemoryTraits {
  using Handle = void*;
  static constexpr Handle kNone = nullptr;
  static constexpr std::string_view kName = "CUDA host memory";
  static std::error_code destroy(Handle h) noexcept { return cuda_code(::cudaFreeHost(h)); }
};
struct CudaMemoryTraits {
  using Handle = void*;
  static constexpr Handle kNone = nullptr;
  static constexpr std::string_view kName = "CUDA memory";
  static std::error_code destroy(Handle h) noexcept { return cuda_code(::cudaFree(h)); }
};

// One non-blocking CUDA stream with one launch a batch.
//
// `mapped`: kernels read the payloads and write the results where they lie, over PCIe. `copied`: a
// mirror of the slab in device memory; payloads are copied to the same offset, neighbours in one
// transfer, and results come back the same way.
//
// Thread: one lane. Lifetime: the slab outlives it. Cost: allocates nothing after construction.
class CudaQueue final : public DeviceQueue {
 public:
  CudaQueue(int device, const PinnedMemory& slab);
  ~CudaQueue() override;

  [[nodiscard]] std::size_t max_batch() const noexcept override { return kMaxBatch; }
  [[nodiscard]] bool submit(std::span<Work> batch) noexcept override;
  [[nodiscard]] State poll() noexcept override;
  [[nodiscard]] std::string_view error() const noexcept override;

 private:
  static constexpr std::size_t kMaxBatch = 256;

  [[nodiscard]] bool mapped() const noexcept { return slab_.device() != nullptr; }
  [[nodiscard]] std::size_t offset_of(const std::byte* host) const noexcept;
  [[nodiscard]] std::uint64_t prepare(std::span<Work> batch) noexcept;  // the largest payload
  [[nodiscard]] bool copy(std::span<Extent> extents, cudaMemcpyKind direction) noexcept;
  [[nodiscard]] bool copy(const Extent& run, cudaMemcpyKind direction) noexcept;
  [[nodiscard]] bool accepted(cudaError_t result) noexcept;

  const PinnedMemory& slab_;
  UniqueHandle<CudaMemoryTraits> mirror_;  // copied only
  UniqueHandle<CudaHostMemoryTraits> shared_;
  kernels::Job* jobs_ = nullptr;   // in shared_: written here, read by the kernel
  std::uint64_t* sums_ = nullptr;  // in shared_: two a job
  const kernels::Job* device_jobs_ = nullptr;
  // Many blocks add to one sum: over PCIe each addition would take a microsecond.
  UniqueHandle<CudaMemoryTraits> device_sums_;
  bool summing_ = false;  // some job of the batch wants sums
  UniqueHandle<CudaStreamTraits> stream_;
  UniqueHandle<CudaEventTraits> finished_;
  std::vector<Extent> payloads_;
  std::vector<Extent> results_;
  std::span<Work> in_flight_;
  cudaError_t last_error_ = cudaSuccess;
};

}  // namespace penstock
