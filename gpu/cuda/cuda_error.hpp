// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/error.hpp"

#include <cuda_runtime_api.h>

#include <string>
#include <string_view>
#include <system_error>

namespace penstock {

// The CUDA runtime's results as error codes.
class CudaCategory final : public std::error_category {
 public:
  [[nodiscard]] const char* name() const noexcept override { return "cuda"; }
  [[nodiscard]] std::string message(int code) const override {
    return ::cudaGetErrorString(static_cast<cudaError_t>(code));
  }
};

inline std::error_code cuda_code(cudaError_t result) noexcept {
  static const CudaCategory category;
  return {static_cast<int>(result), category};
}

// Throws when a call of the runtime failed. The runtime remembers its last error until it is read:
// it is read here, so that the next call does not report it again.
inline void require_cuda(cudaError_t result, std::string_view operation,
                         std::string_view hint = {}) {
  if (result == cudaSuccess) return;
  (void)::cudaGetLastError();
  throw Error{cuda_code(result), operation, hint};
}

}  // namespace penstock
