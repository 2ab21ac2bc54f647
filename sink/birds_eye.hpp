// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "buffer/frame_info.hpp"
#include "sink/rgb_image.hpp"

#include <cstddef>
#include <span>
#include <string_view>

namespace penstock {

inline constexpr std::uint32_t kBirdsEyeSide = 1200;

// A point cloud from above, for people: the sensor in the middle, its x axis (forward) up and its y
// axis to the left; points coloured by height; rings at known distances. The scale is such that 98
// of 100 points are in the picture.
//
// The records need float32 fields x, y and z; without them, or without points, the picture is empty
// but for its frame. `title` stands in the top left corner.
[[nodiscard]] RgbImage birds_eye(const RecordLayout& layout, std::size_t count,
                                 std::span<const std::byte> records, std::string_view title);

}  // namespace penstock
