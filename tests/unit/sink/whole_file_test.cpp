// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#include "sink/whole_file.hpp"

#include "base/file_descriptor.hpp"
#include "tests/unit/sink/frames.hpp"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <csignal>

namespace penstock {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

// A disk on which a file of this process can be no longer than `bytes`: writes get short there, and
// then fail.
class ShortDisk {
 public:
  explicit ShortDisk(rlim_t bytes) : signal_{std::signal(SIGXFSZ, SIG_IGN)} {
    ::getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit limit{bytes, before_.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &limit);
  }
  ShortDisk(const ShortDisk&) = delete;
  ShortDisk& operator=(const ShortDisk&) = delete;
  ~ShortDisk() {
    ::setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, signal_);
  }

 private:
  void (*signal_)(int);
  rlimit before_{};
};

TEST(WholeFile, HoldsWhatWasWrittenAndNothingElseIsLeft) {
  const test::TemporaryFolder folder;

  ASSERT_TRUE(write_whole_file(folder / "a", "text"));

  EXPECT_EQ(test::content_of(folder / "a"), "text");
  EXPECT_EQ(test::files_in(folder.path()).size(), 1u);
}

TEST(WholeFile, ReportsAFullDevice) {
  const FileDescriptor full{::open("/dev/full", O_WRONLY | O_CLOEXEC)};
  if (!full) GTEST_SKIP() << "no /dev/full here";
  const std::byte byte{};

  EXPECT_EQ(write_all(full.get(), {&byte, 1}), std::errc::no_space_on_device);
}

TEST(WholeFile, ThatDoesNotFitIsReportedAndNotThere) {
  const test::TemporaryFolder folder;
  const std::string text(100'000, 'x');

  tl::expected<void, FileFailure> written;
  {
    const ShortDisk disk{4096};
    written = write_whole_file(folder / "a", text);
  }

  ASSERT_FALSE(written) << "the first write was short, and only a second one fails";
  EXPECT_EQ(written.error().cause, std::errc::file_too_large);
  EXPECT_THAT(written.error().text, HasSubstr(folder / "a"));
  EXPECT_THAT(test::files_in(folder.path()), IsEmpty());
}

TEST(WholeFile, KeepsTheOldOneWhenTheNewOneDoesNotFit) {
  const test::TemporaryFolder folder;
  ASSERT_TRUE(write_whole_file(folder / "a", "old"));

  {
    const ShortDisk disk{4096};
    EXPECT_FALSE(write_whole_file(folder / "a", std::string(100'000, 'x')));
  }

  EXPECT_EQ(test::content_of(folder / "a"), "old");
}

TEST(WholeFile, SaysThatItsFolderIsMissing) {
  const test::TemporaryFolder folder;

  const auto written = write_whole_file(folder / "missing/a", "text");

  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().cause, std::errc::no_such_file_or_directory);
  EXPECT_THAT(written.error().text, HasSubstr("missing/a: No such file or directory"));
}

}  // namespace
}  // namespace penstock
