// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#include "base/error.hpp"
#include "gpu/device.hpp"

#include <gmock/gmock.h>

#include <string>

namespace penstock {
namespace {

using testing::AnyOf;
using testing::HasSubstr;
using testing::StartsWith;

std::string refusal_of(int index) {
  try {
    (void)make_device({.kind = DeviceChoice::Kind::cuda, .index = index});
  } catch (const Error& error) {
    EXPECT_THAT(error.code(),
                AnyOf(make_error_code(Errc::device_not_found), make_error_code(Errc::unsupported)));
    return error.what();
  }
  return "none";
}

TEST(MakeDevice, RefusesAGpuThatIsNotThereAndNamesTheWayOut) {
  EXPECT_THAT(refusal_of(4096), HasSubstr("`device: host`"));
  EXPECT_THAT(refusal_of(-1), HasSubstr("`device: host`"));
}

TEST(MakeDevice, TakesSomeDeviceThatWorksWhenAskedToChoose) {
  const auto device = make_device({.kind = DeviceChoice::Kind::automatic, .lock_pages = false});

  EXPECT_THAT(device->description(), AnyOf(StartsWith("host"), StartsWith("cuda:")));
}

TEST(MakeDevice, SaysWhenTheHostDoesNotLockItsPages) {
  EXPECT_EQ(make_device({.lock_pages = true})->description(), "host");
  EXPECT_EQ(make_device({.lock_pages = false})->description(), "host, pages not locked");
}

}  // namespace
}  // namespace penstock
