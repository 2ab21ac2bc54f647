// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

namespace penstock::kernels {

// What is made of a payload, beside its sums.
enum class JobKind : std::uint8_t {
  none,    // sums only
  vlp16,   // VLP-16 packets → Point (kernels/vlp16.hpp)
  bayer8,  // 8-bit Bayer mosaic → planar RGB float32
  uyvy,    // UYVY 4:2:2 → planar RGB float32
};

// One frame's arithmetic: plain data that host and GPU read alike. All addresses are valid where
// the kernel runs; `payload` and `result` start on a page.
//
// The caller has checked the sizes: vlp16 payloads are whole packets of 1206 bytes, images are
// exactly width × height pixels, and `result` holds what the kind writes.
struct Job {
  const std::byte* payload = nullptr;
  std::uint64_t payload_bytes = 0;
  std::byte* result = nullptr;    // null for JobKind::none
  std::uint64_t* sums = nullptr;  // two Fletcher sums (kernels/fletcher.hpp), zero before; or null
  JobKind kind = JobKind::none;
  std::uint8_t pattern = 0;            // bayer8: 0 RG, 1 GR, 2 GB, 3 BG, the first two pixels
  std::uint16_t skip_blocks_head = 0;  // vlp16: blocks of the first packet that are not decoded
  std::uint16_t skip_blocks_tail = 0;  // vlp16: blocks of the last packet that are not decoded
  std::uint32_t width = 0;             // images: pixels
  std::uint32_t height = 0;
};

}  // namespace penstock::kernels
