// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#include "base/error.hpp"

#include <string>

namespace penstock {
namespace {

class PenstockCategory final : public std::error_category {
 public:
  [[nodiscard]] const char* name() const noexcept override { return "penstock"; }
  [[nodiscard]] std::string message(int code) const override {
    switch (static_cast<Errc>(code)) {
      case Errc::invalid_config:
        return "invalid configuration";
      case Errc::invalid_file:
        return "invalid file";
      case Errc::device_not_found:
        return "device not found";
      case Errc::limit_exceeded:
        return "limit exceeded";
      case Errc::not_permitted:
        return "not permitted";
      case Errc::unsupported:
        return "not supported";
    }
    return "unknown error";
  }
};

std::string one_line(std::error_code cause, std::string_view operation, std::string_view hint) {
  std::string text{operation};
  text += ": ";
  text += cause.message();
  if (!hint.empty()) {
    text += " (";
    text += hint;
    text += ')';
  }
  return text;
}

}  // namespace

std::error_code make_error_code(Errc code) noexcept {
  static const PenstockCategory category;
  return {static_cast<int>(code), category};
}

Error::Error(std::error_code cause, std::string_view operation, std::string_view hint)
    : std::system_error{cause}, text_{one_line(cause, operation, hint)} {}

}  // namespace penstock
