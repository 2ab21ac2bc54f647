// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cerrno>
#include <string>
#include <string_view>
#include <system_error>
#include <type_traits>

namespace penstock {

// Failures an operator can act on. Anything else keeps the code of the layer it came from.
enum class Errc {
  invalid_config = 1,
  invalid_file,
  device_not_found,
  limit_exceeded,  // RLIMIT_MEMLOCK, memory.pinned_limit, GPU memory ...
  not_permitted,
  unsupported,
};

std::error_code make_error_code(Errc code) noexcept;

// Thrown while something is being set up; never from code that handles frames.
//
// what() is one log line: "<operation>: <cause> (<hint>)". The cause is what the OS, the driver or
// the NIC said. The hint is our guess at the remedy, and is kept apart from it because guesses age.
class Error : public std::system_error {
 public:
  Error(std::error_code cause, std::string_view operation, std::string_view hint = {});
  [[nodiscard]] const char* what() const noexcept override { return text_.c_str(); }

 private:
  std::string text_;
};

// The C libraries under us report failure in three ways. Each has one check, so that a call site
// shows which of them it relies on.
template <class T>
[[nodiscard]] T* require_ptr(T* result, std::string_view operation) {  // null, errno is set
  if (result == nullptr) throw Error{{errno, std::system_category()}, operation};
  return result;
}

inline void require_zero(int result, std::string_view operation) {  // returns the errno value
  if (result != 0) throw Error{{result, std::system_category()}, operation};
}

inline int require_not_negative(int result, std::string_view operation) {  // -1, errno is set
  if (result < 0) throw Error{{errno, std::system_category()}, operation};
  return result;
}

}  // namespace penstock

template <>
struct std::is_error_code_enum<penstock::Errc> : std::true_type {};
