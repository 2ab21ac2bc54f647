// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#include "buffer/frame_info.hpp"

namespace penstock {

std::string_view name(Delivery delivery) noexcept {
  switch (delivery) {
    case Delivery::mapped:
      return "mapped";
    case Delivery::copied:
      return "copied";
    case Delivery::resident:
      return "resident";
    case Delivery::direct:
      return "direct";
    case Delivery::count_:
      break;
  }
  return "unknown";
}

std::size_t bytes_of(ElementType type) noexcept {
  switch (type) {
    case ElementType::u8:
      return 1;
    case ElementType::u16:
      return 2;
    case ElementType::u32:
    case ElementType::f32:
      return 4;
  }
  return 0;
}

}  // namespace penstock
