// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/host_device.hpp"

namespace penstock::kernels {

struct SinCos {
  float sin;
  float cos;
};

// Sine and cosine of an angle in hundredths of a degree, within 0 … 36000. Ours, because the ones
// of the C library and of the GPU differ in the last bit, and a cloud must not depend on where it
// was decoded: only additions and multiplications, in an order that neither compiler may change.
//
// Error: below 1.5e-7. The range is reduced exactly, to ±45°, where the Taylor series to the 9th
// (8th) power leaves less than half a unit in the last place.
PENSTOCK_HOST_DEVICE inline SinCos sin_cos(float hundredths) noexcept {
  const int quadrant = static_cast<int>((hundredths + 4500.0F) / 9000.0F);
  const float rest = hundredths - static_cast<float>(quadrant) * 9000.0F;  // exact: both are small
  const float x = rest * 1.7453292520e-4F;
  const float x2 = x * x;
  const float sin =
      x +
      x * x2 * (-1.6666667e-1F + x2 * (8.3333333e-3F + x2 * (-1.9841270e-4F + x2 * 2.7557319e-6F)));
  const float cos =
      1.0F + x2 * (-0.5F + x2 * (4.1666667e-2F + x2 * (-1.3888889e-3F + x2 * 2.4801587e-5F)));
  switch (quadrant & 3) {
    case 0:
      return {sin, cos};
    case 1:
      return {cos, -sin};
    case 2:
      return {-sin, -cos};
    default:
      return {-cos, sin};
  }
}

}  // namespace penstock::kernels
