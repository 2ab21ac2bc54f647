// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sink/rgb_image.hpp"

#include <tl/expected.hpp>

#include <cstddef>
#include <string>
#include <vector>

namespace penstock {

// The picture as a PNG file, compressed fast and not small: a recorder has to keep pace. `file` is
// overwritten. The error is libpng's text.
[[nodiscard]] tl::expected<void, std::string> encode_png(const RgbImage& image,
                                                         std::vector<std::byte>& file);

}  // namespace penstock
