// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/cpu/run.hpp"

#include "kernels/cpu/fletcher.hpp"
#include "kernels/rgb.hpp"
#include "kernels/vlp16.hpp"

namespace penstock::kernels::cpu {
namespace {

void points(const Job& job) noexcept {
  auto* const out = reinterpret_cast<Point*>(job.result);
  const auto count =
      static_cast<std::uint32_t>(job.payload_bytes / vlp16::kPacketBytes * vlp16::kPointsPerPacket);
  for (std::uint32_t i = 0; i < count; ++i) out[i] = vlp16_point(job, i);
}

template <Rgb (*Pixel)(const Job&, std::uint32_t, std::uint32_t) noexcept>
void image(const Job& job) noexcept {
  const std::uint64_t plane = std::uint64_t{job.width} * job.height;
  auto* out = reinterpret_cast<float*>(job.result);
  for (std::uint32_t y = 0; y < job.height; ++y) {
    for (std::uint32_t x = 0; x < job.width; ++x, ++out) {
      const Rgb rgb = Pixel(job, x, y);
      out[0] = rgb.r;
      out[plane] = rgb.g;
      out[2 * plane] = rgb.b;
    }
  }
}

void run_one(const Job& job) noexcept {
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
  if (job.sums == nullptr) return;
  const FletcherSums sums = fletcher(job.payload, job.payload_bytes);
  job.sums[0] += sums.a;
  job.sums[1] += sums.b;
}

}  // namespace

void run(std::span<const Job> jobs) noexcept {
  for (const Job& job : jobs) run_one(job);
}

}  // namespace penstock::kernels::cpu
