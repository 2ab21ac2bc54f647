// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#include "sink/png.hpp"

#include <png.h>

namespace penstock {
namespace {

// No longer than this, whatever the content: deflate falls back to stored blocks of at least 8 KiB
// with 5 bytes each, a row begins with its filter, and libpng writes 12 bytes around each chunk.
std::size_t most_bytes(const RgbImage& image) {
  const std::size_t raw = (std::size_t{image.width()} * 3 + 1) * image.height();
  return raw + raw / 256 + 4096;
}

}  // namespace

tl::expected<void, std::string> encode_png(const RgbImage& image, std::vector<std::byte>& file) {
  // libpng's simplified interface: no longjmp leaves it, so destructors here are safe.
  png_image png{};
  png.version = PNG_IMAGE_VERSION;
  png.width = image.width();
  png.height = image.height();
  png.format = PNG_FORMAT_RGB;
  png.flags = PNG_IMAGE_FLAG_FAST;

  file.resize(most_bytes(image));
  png_alloc_size_t bytes = file.size();
  const int done =
      png_image_write_to_memory(&png, file.data(), &bytes, 0, image.pixels().data(), 0, nullptr);
  if (done == 0) {
    std::string text{png.message};
    png_image_free(&png);
    file.clear();
    return tl::unexpected{std::move(text)};
  }
  file.resize(bytes);
  return {};
}

}  // namespace penstock
