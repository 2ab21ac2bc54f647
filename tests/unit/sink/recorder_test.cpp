// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#include "sink/recorder.hpp"

#include "base/error.hpp"
#include "base/file_descriptor.hpp"
#include "tests/support/alloc_guard.hpp"
#include "tests/unit/sink/frames.hpp"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <optional>
#include <thread>

namespace penstock {
namespace {

using test::Record;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

constexpr StreamId kLidar = 7;

void await_recorded(const Recorder& recorder, std::uint64_t frames) {
  while (recorder.frames_recorded() + recorder.frames_not_recorded() < frames) {
    std::this_thread::yield();
  }
}

// A disk that stands still at one file: opening a pipe waits until somebody reads it. After go_on()
// it has to live until the recorder has finished.
class StalledFile {
 public:
  explicit StalledFile(std::string path) : path_{std::move(path) + ".part"} {
    EXPECT_EQ(::mkfifo(path_.c_str(), 0600), 0);
  }
  StalledFile(const StalledFile&) = delete;
  StalledFile& operator=(const StalledFile&) = delete;

  void go_on() { reader_.reset(::open(path_.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC)); }

 private:
  std::string path_;
  FileDescriptor reader_;  // kept: a pipe without a reader would kill the writer
};

struct RecorderTest : testing::Test {
  test::TemporaryFolder folder;
  Slab slab{test::plain_memory(64 * kPageBytes)};
  test::StreamSlots slots{slab, 8, 8};
  std::optional<StalledFile> disk;
  Recorder recorder{folder.path()};

  // Else a test that fails early would leave the recorder waiting for its disk.
  void TearDown() override {
    if (disk) disk->go_on();
    recorder.finish();
  }
  void begin(bool flow_controlled, std::uint32_t result_slots = 8) {
    recorder.began({kLidar, "lidar", flow_controlled, 8, result_slots});
  }
  // False when no slot was free.
  bool take(std::uint64_t sequence, const test::Content& content = {}) {
    const DeliveredFrame delivered = test::deliver(slots, kLidar, sequence, content);
    if (!delivered.frame) return false;
    recorder.take(delivered);
    ++taken;
    return true;
  }
  std::uint64_t taken = 0;
};

TEST_F(RecorderTest, WritesPayloadAndPoints) {
  begin(true);

  take(12, test::points({Record{.x = 1}}));
  recorder.finish();

  EXPECT_EQ(test::content_of(folder / "lidar/000012.raw"), "payload");
  EXPECT_THAT(test::content_of(folder / "lidar/000012.pcd"), HasSubstr("POINTS 1\n"));
  EXPECT_THAT(test::files_in(folder / "lidar"), UnorderedElementsAre("000012.raw", "000012.pcd"));
  EXPECT_THAT(recorder.failures(), IsEmpty());
}

TEST_F(RecorderTest, WritesImages) {
  begin(true);

  take(0, test::image({1, 0, 0}));
  recorder.finish();

  EXPECT_THAT(test::content_of(folder / "lidar/000000.png"), HasSubstr("PNG"));
}

TEST_F(RecorderTest, WritesOnlyThePayloadOfFramesThatAreOnlyChecked) {
  begin(true, 0);

  take(0);
  recorder.finish();

  EXPECT_THAT(test::files_in(folder / "lidar"), ElementsAre("000000.raw"));
}

TEST_F(RecorderTest, SlowsDownASenderThatCanWaitAndLosesNothing) {
  begin(true);
  take(0, test::points({}));
  await_recorded(recorder, 1);
  disk.emplace(folder / "lidar/000001.raw");

  std::uint64_t next = 1;
  while (take(next, test::points({}))) ++next;
  const std::uint64_t until_stopped = taken;
  disk->go_on();
  while (next < 50) {
    if (take(next, test::points({}))) ++next;
  }
  recorder.finish();

  EXPECT_LE(until_stopped, 9u) << "one was written, and 8 slots can be held";
  EXPECT_GE(until_stopped, 8u);
  EXPECT_EQ(recorder.frames_recorded(), 50u);
  EXPECT_EQ(recorder.frames_not_recorded(), 0u);
  EXPECT_EQ(test::files_in(folder / "lidar").size(), 100u);
  EXPECT_EQ(slots.outstanding(), 0u);
}

TEST_F(RecorderTest, HoldsAtMostHalfTheSlotsOfALiveStreamAndCountsWhatItSkips) {
  begin(false);
  take(0, test::points({}));
  await_recorded(recorder, 1);
  disk.emplace(folder / "lidar/000001.raw");

  for (std::uint64_t sequence = 1; sequence < 100; ++sequence) {
    ASSERT_TRUE(take(sequence, test::points({}))) << "the stream must never want for a slot";
    EXPECT_LE(slots.frames.outstanding(), 4u);
    EXPECT_LE(slots.results.outstanding(), 4u);
  }
  EXPECT_GE(recorder.frames_not_recorded(), 100u - 1 - 5);
  disk->go_on();
  recorder.finish();

  EXPECT_GE(recorder.frames_recorded(), 1u + 4);
  EXPECT_EQ(recorder.frames_recorded() + recorder.frames_not_recorded(), taken);
  EXPECT_EQ(slots.outstanding(), 0u);
  EXPECT_THAT(recorder.failures(), IsEmpty()) << "sparing a live stream is no failure";
}

TEST_F(RecorderTest, HoldsAtMostHalfTheResultSlotsWhereTheyAreFewer) {
  begin(false, 2);
  take(0, test::points({}));
  await_recorded(recorder, 1);
  disk.emplace(folder / "lidar/000001.raw");

  for (std::uint64_t sequence = 1; sequence < 10; ++sequence) take(sequence, test::points({}));

  EXPECT_LE(slots.results.outstanding(), 1u);
}

TEST_F(RecorderTest, TakesWithoutAllocating) {
  begin(true);
  const DeliveredFrame delivered = test::deliver(slots, kLidar, 0, test::points({}));

  const std::uint64_t before = test::allocations_on_this_thread();
  recorder.take(delivered);
  const std::uint64_t after = test::allocations_on_this_thread();

  EXPECT_EQ(after, before);
}

TEST_F(RecorderTest, CountsFramesOfStreamsItWasNotToldOf) {
  take(0);
  recorder.finish();

  EXPECT_EQ(recorder.frames_not_recorded(), 1u);
  EXPECT_EQ(slots.outstanding(), 0u);
}

TEST_F(RecorderTest, ReportsACauseOnceWithItsFirstCaseAndTheNumberOfFrames) {
  begin(true);
  take(0);
  await_recorded(recorder, 1);
  std::filesystem::remove_all(folder / "lidar");

  for (std::uint64_t sequence = 1; sequence < 4; ++sequence) take(sequence);
  recorder.finish();

  EXPECT_THAT(recorder.failures(),
              ElementsAre(AllOf(HasSubstr("lidar/000001.raw: No such file or directory"),
                                HasSubstr("(3 frames)"))));
  EXPECT_EQ(recorder.frames_recorded(), 1u);
  EXPECT_EQ(recorder.frames_not_recorded(), 3u);
  EXPECT_EQ(slots.outstanding(), 0u);
}

TEST_F(RecorderTest, GivesASenderThatCameBackAFolderOfItsOwn) {
  begin(true);
  take(0, {.payload = "before"});
  await_recorded(recorder, 1);
  recorder.ended(kLidar);

  recorder.began({kLidar + 1, "lidar", true, 8, 8});
  recorder.take(test::deliver(slots, kLidar + 1, 0, {.payload = "after"}));
  recorder.finish();

  EXPECT_EQ(test::content_of(folder / "lidar/000000.raw"), "before");
  EXPECT_EQ(test::content_of(folder / "lidar.2/000000.raw"), "after");
}

TEST_F(RecorderTest, TouchesNoFilesOfAnEarlierRun) {
  std::filesystem::create_directory(folder / "lidar");
  ASSERT_TRUE(write_whole_file(folder / "lidar/000000.raw", "earlier"));
  begin(true);

  take(0);
  recorder.finish();

  EXPECT_EQ(test::content_of(folder / "lidar/000000.raw"), "earlier");
  EXPECT_EQ(test::content_of(folder / "lidar.2/000000.raw"), "payload");
}

TEST_F(RecorderTest, KeepsBothFramesOfASequenceNumberThatCameTwice) {
  begin(true);

  take(5, {.payload = "first"});
  take(5, {.payload = "second"});
  take(4, {.payload = "late"});
  recorder.finish();

  EXPECT_EQ(test::content_of(folder / "lidar/000005.raw"), "first");
  EXPECT_EQ(test::content_of(folder / "lidar/000005-2.raw"), "second");
  EXPECT_EQ(test::content_of(folder / "lidar/000004.raw"), "late");
}

TEST(Recorder, RefusesAFolderThatCannotBe) {
  const test::TemporaryFolder folder;
  ASSERT_TRUE(write_whole_file(folder / "file", "in the way"));

  EXPECT_THROW(Recorder{folder / "file"}, Error);
  EXPECT_THROW(Recorder{folder / "file/below"}, Error);
}

}  // namespace
}  // namespace penstock
