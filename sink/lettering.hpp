// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sink/rgb_image.hpp"

#include <string_view>

namespace penstock {

// Letters of 5 × 7 dots for the few words that stand in a picture: A-Z (small ones are shown as
// capitals), digits and + - _ . : / ( ) =. Others are left blank.
inline constexpr int kLetterWidth = 6;  // with the gap
inline constexpr int kLetterHeight = 7;

// `x`, `y`: the top left corner. A dot becomes `size` × `size` pixels.
void write_text(RgbImage& image, int x, int y, std::string_view text, int size, Rgb colour);

[[nodiscard]] constexpr int text_width(std::string_view text, int size) noexcept {
  return static_cast<int>(text.size()) * kLetterWidth * size;
}

}  // namespace penstock
