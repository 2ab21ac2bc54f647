// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/cacheline.hpp"
#include "base/counter.hpp"
#include "base/waker.hpp"
#include "sink/frame_files.hpp"
#include "sink/sink.hpp"
#include "sink/stream_index.hpp"
#include "sink/whole_file.hpp"

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

namespace penstock {

// Writes every frame it is given as files (frame_files.hpp), on a thread of its own.
//
// It keeps the leases until the files are written and copies nothing. A sender that waits for slots
// is thereby slowed down to the pace of the disk, and its recording has no gaps. A sensor cannot
// wait: of its stream the recorder holds at most half the slots, so that a slow disk costs frames
// of the recording, which are counted, and never frames of the stream.
//
// Thread: take() on the lane; began() and ended() on the reactor, or before it runs; finish() on
// one thread after the lane has stopped; the rest on any. Lifetime: finish(), or the destructor,
// before the rings of the streams go.
// Cost: take() neither waits, locks nor allocates.
class Recorder final : public Sink {
 public:
  struct StreamFacts {
    StreamId id = 0;
    std::string name;              // legal as the name of a folder
    bool flow_controlled = false;  // its sender waits for slots
    std::uint32_t slots = 0;
    std::uint32_t result_slots = 0;  // 0: its frames have no results
  };

  // Throws Error when the folder cannot be made or written to.
  explicit Recorder(std::string folder);
  ~Recorder() override;

  void began(const StreamFacts& stream);
  void ended(StreamId id) noexcept;
  void take(const DeliveredFrame& delivered) noexcept override;

  // Writes what is still held and ends the thread. Every lease has ended when it returns.
  void finish() noexcept;

  // Together: the frames taken, once finish() has returned.
  [[nodiscard]] std::uint64_t frames_recorded() const noexcept { return recorded_.get(); }
  [[nodiscard]] std::uint64_t frames_not_recorded() const noexcept {
    return skipped_.get() + failed_.get();
  }
  // What went wrong, each cause once: its first case, and how many frames it cost. Frames that were
  // skipped to spare a live stream are no failures.
  [[nodiscard]] std::vector<std::string> failures() const;

 private:
  struct Track;
  using Tracks = std::vector<std::shared_ptr<Track>>;

  struct Failure {
    std::string first;
    std::uint64_t frames = 0;
  };

  void work() noexcept;
  [[nodiscard]] bool refresh(Tracks& tracks, std::uint64_t& version);
  [[nodiscard]] bool write_one(Track& track) noexcept;
  void note(const FileFailure& failure);

  const std::string folder_;
  StreamIndex<Track> index_;  // the lane's view of the tracks
  Waker waker_;
  alignas(kCacheLine) Counter skipped_;   // lane
  alignas(kCacheLine) Counter recorded_;  // worker
  Counter failed_;                        // worker, as the next
  Counter out_of_memory_;
  std::atomic<bool> finishing_{false};

  mutable std::mutex mutex_;  // guards the tracks and the failures; never taken by the lane
  Tracks tracks_;
  std::atomic<std::uint64_t> version_{0};  // of the tracks
  std::map<std::error_code, Failure> failures_;

  FrameFiles files_;  // worker
  std::thread worker_;
};

}  // namespace penstock
