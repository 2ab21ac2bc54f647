// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/cuda/cuda_queue.hpp"

#include "base/human_bytes.hpp"
#include "gpu/cuda/registration.hpp"
#include "gpu/job_of.hpp"
#include "kernels/cuda/launch.hpp"

#include <algorithm>

namespace penstock {
namespace {

// Copying this much more costs about as much time as another call (2 µs at 50 GB/s).
constexpr std::size_t kMostGap = 64 * 1024;

constexpr std::size_t kSumBytes = 2 * sizeof(std::uint64_t);  // of one job

template <class Handle>
void* device_pointer(const UniqueHandle<Handle>& host) {
  void* pointer = nullptr;
  require_cuda(::cudaHostGetDevicePointer(&pointer, host.get(), 0),
               "map the batch descriptors into the GPU");
  return pointer;
}

}  // namespace

CudaQueue::CudaQueue(int device, const PinnedMemory& slab)
    : slab_{slab}, payloads_(kMaxBatch), results_(kMaxBatch) {
  require_cuda(::cudaSetDevice(device), "select the GPU");
  if (!mapped()) {
    void* mirror = nullptr;
    require_cuda(::cudaMalloc(&mirror, slab.host().size()),
                 "take " + human_bytes(slab.host().size()) + " of GPU memory for copies",
                 "lower memory.pinned_limit or listen.memory, or free memory of the GPU");
    mirror_.reset(mirror);
  }
  constexpr std::size_t kSumsAt = kMaxBatch * sizeof(kernels::Job);
  constexpr std::size_t kSumsBytes = kMaxBatch * kSumBytes;
  void* shared = nullptr;
  require_cuda(
      ::cudaHostAlloc(&shared, kSumsAt + kSumsBytes, cudaHostAllocMapped | cudaHostAllocPortable),
      "take memory for batch descriptors");
  shared_.reset(shared);
  auto* const host = static_cast<std::byte*>(shared);
  auto* const on_device = static_cast<std::byte*>(device_pointer(shared_));
  jobs_ = reinterpret_cast<kernels::Job*>(host);
  sums_ = reinterpret_cast<std::uint64_t*>(host + kSumsAt);
  device_jobs_ = reinterpret_cast<const kernels::Job*>(on_device);
  void* sums = nullptr;
  require_cuda(::cudaMalloc(&sums, kSumsBytes), "take GPU memory for sums");
  device_sums_.reset(sums);

  cudaStream_t stream = nullptr;
  require_cuda(::cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "make a CUDA stream");
  stream_.reset(stream);
  cudaEvent_t event = nullptr;
  require_cuda(::cudaEventCreateWithFlags(&event, cudaEventDisableTiming), "make a CUDA event");
  finished_.reset(event);
}

CudaQueue::~CudaQueue() {
  (void)::cudaStreamSynchronize(stream_.get());
  (void)::cudaGetLastError();
}

std::size_t CudaQueue::offset_of(const std::byte* host) const noexcept {
  return static_cast<std::size_t>(host - slab_.host().data());
}

std::uint64_t CudaQueue::prepare(std::span<Work> batch) noexcept {
  std::byte* const base = mapped() ? slab_.device() : static_cast<std::byte*>(mirror_.get());
  auto* const sums = static_cast<std::uint64_t*>(device_sums_.get());
  std::uint64_t largest = 0;
  summing_ = false;
  for (std::size_t i = 0; i < batch.size(); ++i) {
    Work& work = batch[i];
    const FrameInfo& frame = work.frame->info();
    payloads_[i] = {offset_of(work.frame->bytes().data()), frame.bytes};
    results_[i] = {};
    if (work.result != nullptr) {
      results_[i] = {offset_of(work.result->bytes().data()),
                     result_shape(*work.recipe, frame).bytes};
    }
    sums_[2 * i] = sums_[2 * i + 1] = 0;
    work.delivery = mapped() ? Delivery::mapped : Delivery::copied;
    jobs_[i] = job_of(work, {.payload = base + payloads_[i].offset,
                             .result = work.result ? base + results_[i].offset : nullptr,
                             .sums = sums + 2 * i});
    summing_ |= jobs_[i].sums != nullptr;
    largest = std::max(largest, frame.bytes);
  }
  return largest;
}

bool CudaQueue::copy(std::span<Extent> extents, cudaMemcpyKind direction) noexcept {
  // What lies between two results may be a frame that a sensor fills right now: never written to.
  const std::size_t gap = direction == cudaMemcpyHostToDevice ? kMostGap : 0;
  const std::size_t runs = coalesce(extents, gap);
  for (const Extent& run : extents.first(runs)) {
    if (!copy(run, direction)) return false;
  }
  return true;
}

// In pieces that each lie within one registration: CUDA refuses a copy across two of them.
bool CudaQueue::copy(const Extent& run, cudaMemcpyKind direction) noexcept {
  const bool up = direction == cudaMemcpyHostToDevice;
  const std::size_t end = run.offset + run.bytes;
  for (std::size_t at = run.offset; at < end;) {
    const std::size_t next = std::min(end, (at / kRegistrationBytes + 1) * kRegistrationBytes);
    std::byte* const host = slab_.host().data() + at;
    std::byte* const device = static_cast<std::byte*>(mirror_.get()) + at;
    const cudaError_t result = ::cudaMemcpyAsync(up ? device : host, up ? host : device, next - at,
                                                 direction, stream_.get());
    if (!accepted(result)) return false;
    at = next;
  }
  return true;
}

bool CudaQueue::submit(std::span<Work> batch) noexcept {
  const std::uint64_t largest = prepare(batch);
  const auto count = static_cast<std::uint32_t>(batch.size());
  const std::size_t sum_bytes = batch.size() * kSumBytes;
  if (summing_ && !accepted(::cudaMemsetAsync(device_sums_.get(), 0, sum_bytes, stream_.get()))) {
    return false;
  }
  if (!mapped() && !copy(std::span{payloads_}.first(batch.size()), cudaMemcpyHostToDevice)) {
    return false;
  }
  if (!accepted(kernels::cuda::launch(device_jobs_, count, largest, stream_.get()))) return false;
  if (summing_ && !accepted(::cudaMemcpyAsync(sums_, device_sums_.get(), sum_bytes,
                                              cudaMemcpyDeviceToHost, stream_.get()))) {
    return false;
  }
  if (!mapped() && !copy(std::span{results_}.first(batch.size()), cudaMemcpyDeviceToHost)) {
    return false;
  }
  if (!accepted(::cudaEventRecord(finished_.get(), stream_.get()))) return false;
  in_flight_ = batch;
  return true;
}

// A refusal in the middle of a batch: what was already submitted must run out before the caller may
// give the frames away.
bool CudaQueue::accepted(cudaError_t result) noexcept {
  if (result == cudaSuccess) return true;
  last_error_ = result;
  (void)::cudaStreamSynchronize(stream_.get());
  (void)::cudaGetLastError();
  return false;
}

DeviceQueue::State CudaQueue::poll() noexcept {
  const cudaError_t result = ::cudaEventQuery(finished_.get());
  if (result == cudaErrorNotReady) {
    (void)::cudaGetLastError();
    return State::pending;
  }
  if (!accepted(result)) return State::failed;
  for (std::size_t i = 0; i < in_flight_.size(); ++i) {
    in_flight_[i].checksum[0] = sums_[2 * i];
    in_flight_[i].checksum[1] = sums_[2 * i + 1];
  }
  return State::done;
}

std::string_view CudaQueue::error() const noexcept { return ::cudaGetErrorString(last_error_); }

}  // namespace penstock
