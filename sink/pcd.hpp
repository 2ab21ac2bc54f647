// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "buffer/frame_info.hpp"

#include <cstddef>
#include <span>
#include <vector>

namespace penstock {

// Where the fields of a record go in a file: x y z intensity ring time return, as far as the record
// has them, then whatever else it has, in its own order.
[[nodiscard]] std::vector<Field> in_file_order(const RecordLayout& layout);

// A point cloud as a binary PCD 0.7 file: records packed without padding, unorganised. Points
// without a return (x is not a number) are left out.
//
// `records` may be shorter than `count` records say; only what is there is written. `file` is
// overwritten; a caller that keeps it from frame to frame saves the allocation.
void encode_pcd(const RecordLayout& layout, std::size_t count, std::span<const std::byte> records,
                std::vector<std::byte>& file);

}  // namespace penstock
