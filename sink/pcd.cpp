// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#include "sink/pcd.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <iterator>
#include <string>
#include <string_view>

namespace penstock {
namespace {

constexpr std::array<std::string_view, 7> kOrder = {"x",    "y",    "z",     "intensity",
                                                    "ring", "time", "return"};

const Field* find(const RecordLayout& layout, std::string_view name) {
  const auto found = std::find_if(layout.fields.begin(), layout.fields.end(),
                                  [&](const Field& field) { return field.name == name; });
  return found == layout.fields.end() ? nullptr : &*found;
}

// Whether a record is a point; every record is where there is no float32 x to tell.
class Returns {
 public:
  explicit Returns(const RecordLayout& layout) {
    const Field* const x = find(layout, "x");
    if (x != nullptr && x->type == ElementType::f32) offset_ = x->offset;
  }
  [[nodiscard]] bool has(const std::byte* record) const noexcept {
    if (offset_ == kNone) return true;
    float x = 0;
    std::memcpy(&x, record + offset_, sizeof x);
    return !std::isnan(x);
  }

 private:
  static constexpr auto kNone = static_cast<std::size_t>(-1);
  std::size_t offset_ = kNone;
};

std::string header(const std::vector<Field>& fields, std::size_t points) {
  std::string names, sizes, types, counts;
  for (const Field& field : fields) {
    names += fmt::format(" {}", field.name);
    sizes += fmt::format(" {}", bytes_of(field.type));
    types += field.type == ElementType::f32 ? " F" : " U";
    counts += " 1";
  }
  return fmt::format(
      "# .PCD v0.7 - Point Cloud Data file format\n"
      "VERSION 0.7\nFIELDS{}\nSIZE{}\nTYPE{}\nCOUNT{}\nWIDTH {}\nHEIGHT 1\n"
      "VIEWPOINT 0 0 0 1 0 0 0\nPOINTS {}\nDATA binary\n",
      names, sizes, types, counts, points, points);
}

}  // namespace

std::vector<Field> in_file_order(const RecordLayout& layout) {
  std::vector<Field> fields;
  for (const std::string_view name : kOrder) {
    if (const Field* const field = find(layout, name)) fields.push_back(*field);
  }
  std::copy_if(layout.fields.begin(), layout.fields.end(), std::back_inserter(fields),
               [](const Field& field) {
                 return std::find(kOrder.begin(), kOrder.end(), field.name) == kOrder.end();
               });
  return fields;
}

void encode_pcd(const RecordLayout& layout, std::size_t count, std::span<const std::byte> records,
                std::vector<std::byte>& file) {
  const std::size_t stride = layout.stride;
  count = std::min(count, stride == 0 ? 0 : records.size() / stride);
  const Returns returns{layout};
  std::size_t points = 0;
  for (std::size_t i = 0; i < count; ++i) points += returns.has(records.data() + i * stride);

  const std::vector<Field> fields = in_file_order(layout);
  std::size_t packed = 0;
  for (const Field& field : fields) packed += bytes_of(field.type);

  const std::string head = header(fields, points);
  file.resize(head.size() + points * packed);
  std::memcpy(file.data(), head.data(), head.size());
  std::byte* to = file.data() + head.size();
  for (std::size_t i = 0; i < count; ++i) {
    const std::byte* const record = records.data() + i * stride;
    if (!returns.has(record)) continue;
    for (const Field& field : fields) {
      const std::size_t bytes = bytes_of(field.type);
      std::memcpy(to, record + field.offset, bytes);
      to += bytes;
    }
  }
}

}  // namespace penstock
