// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/launch.hpp"
#include "kernels/fletcher.hpp"
#include "kernels/rgb.hpp"
#include "kernels/vlp16.hpp"

#include <cuda_runtime.h>

namespace penstock::kernels::cuda {
namespace {

constexpr unsigned kThreads = 256;

// Bytes of payload that one block of threads works on. Mapped payloads are read over PCIe: enough
// blocks to keep many reads in flight, and enough work in each to make up for its start.
constexpr std::uint64_t kBytesPerBlock = 16 * 1024;
constexpr unsigned kMostBlocks = 264;  // twice the multiprocessors of the largest GPU we know

__device__ std::uint64_t first_index() {
  return static_cast<std::uint64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
}
__device__ std::uint64_t stride() { return static_cast<std::uint64_t>(gridDim.x) * blockDim.x; }

__device__ void points(const Job& job) {
  Point* const out = reinterpret_cast<Point*>(job.result);
  const std::uint64_t count = job.payload_bytes / vlp16::kPacketBytes * vlp16::kPointsPerPacket;
  for (std::uint64_t i = first_index(); i < count; i += stride()) {
    out[i] = vlp16_point(job, static_cast<std::uint32_t>(i));
  }
}

template <Rgb (*Pixel)(const Job&, std::uint32_t, std::uint32_t) noexcept>
__device__ void image(const Job& job) {
  const std::uint64_t plane = static_cast<std::uint64_t>(job.width) * job.height;
  float* const out = reinterpret_cast<float*>(job.result);
  for (std::uint64_t i = first_index(); i < plane; i += stride()) {
    const Rgb rgb = Pixel(job, static_cast<std::uint32_t>(i % job.width),
                          static_cast<std::uint32_t>(i / job.width));
    out[i] = rgb.r;
    out[plane + i] = rgb.g;
    out[2 * plane + i] = rgb.b;
  }
}

__device__ std::uint64_t sum_of_warp(std::uint64_t value) {
  for (int offset = 16; offset != 0; offset /= 2) {
    value += __shfl_down_sync(0xFFFFFFFFu, value, static_cast<unsigned>(offset));
  }
  return value;
}

// Adds the sums of all threads of the block, with two atomic additions.
__device__ void add_of_block(std::uint64_t a, std::uint64_t b, std::uint64_t* sums) {
  __shared__ std::uint64_t of_warp[2][kThreads / 32];
  a = sum_of_warp(a);
  b = sum_of_warp(b);
  const unsigned warp = threadIdx.x / 32;
  if (threadIdx.x % 32 == 0) {
    of_warp[0][warp] = a;
    of_warp[1][warp] = b;
  }
  __syncthreads();
  if (threadIdx.x != 0) return;
  for (unsigned i = 1; i < kThreads / 32; ++i) {
    a += of_warp[0][i];
    b += of_warp[1][i];
  }
  static_assert(sizeof(unsigned long long) == sizeof(std::uint64_t));
  atomicAdd(reinterpret_cast<unsigned long long*>(sums), a);
  atomicAdd(reinterpret_cast<unsigned long long*>(sums + 1), b);
}

// Additions modulo 2⁶⁴ give the same sum in any order, so the result does not depend on the timing
// of the blocks. Sixteen bytes a load: over PCIe fewer, larger reads are in flight.
__device__ void fletcher(const Job& job) {
  const std::uint64_t n = fletcher_words(job.payload_bytes);
  const std::uint64_t quads = job.payload_bytes / 16;
  const uint4* const in = reinterpret_cast<const uint4*>(job.payload);
  std::uint64_t a = 0;
  std::uint64_t b = 0;
  for (std::uint64_t i = first_index(); i < quads; i += stride()) {
    const uint4 w = in[i];
    const std::uint64_t sum = std::uint64_t{w.x} + w.y + w.z + w.w;
    a += sum;
    b += (n - 4 * i) * sum - (std::uint64_t{w.y} + 2 * std::uint64_t{w.z} + 3 * std::uint64_t{w.w});
  }
  for (std::uint64_t i = 4 * quads + first_index(); i < n; i += stride()) {
    const std::uint64_t word = fletcher_word(job.payload, job.payload_bytes, i);
    a += word;
    b += (n - i) * word;
  }
  add_of_block(a, b, job.sums);
}

__global__ void run(const Job* jobs) {
  const Job job = jobs[blockIdx.y];
  switch (job.kind) {
    case JobKind::none:
      break;
    case JobKind::vlp16:
      points(job);
      break;
    case JobKind::bayer8:
      image<bayer8_pixel>(job);
      break;
    case JobKind::uyvy:
      image<uyvy_pixel>(job);
      break;
  }
  if (job.sums != nullptr) fletcher(job);
}

}  // namespace

cudaError_t launch(const Job* jobs, std::uint32_t count, std::uint64_t largest_payload,
                   cudaStream_t stream) noexcept {
  const std::uint64_t wanted = (largest_payload + kBytesPerBlock - 1) / kBytesPerBlock;
  const unsigned blocks = wanted < 1             ? 1
                          : wanted > kMostBlocks ? kMostBlocks
                                                 : static_cast<unsigned>(wanted);
  run<<<dim3{blocks, count}, kThreads, 0, stream>>>(jobs);
  return cudaGetLastError();
}

}  // namespace penstock::kernels::cuda
