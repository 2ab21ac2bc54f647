// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/waker.hpp"
#include "sink/sink.hpp"
#include "sink/stream_index.hpp"

#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace penstock {

// Keeps a copy of the last good result of each stream, and writes it as a picture when the stream
// or the server ends: NAME.birdseye.png of points, NAME.png of an image. Good is what is whole; a
// partial frame is shown only where there was no other.
//
// Of a sensor's stream a frame is copied every 200 ms, and its lease is held for the time of the
// copy only. A sender that waits for slots can spare one: there the newest frame is held until the
// next comes or 200 ms have passed, so that the last frame of a replay is never missed.
//
// Thread: take() on the lane; began() and ended() on the reactor, or before it runs; finish() on
// one thread after the lane has stopped; failures() after that. Lifetime: finish(), or the
// destructor, before the rings of the streams go.
// Cost: take() neither waits, locks nor allocates. A copy of one result for each open stream.
class Snapshot final : public Sink {
 public:
  // Throws Error when the folder cannot be made or written to.
  explicit Snapshot(std::string folder);
  ~Snapshot() override;

  void began(StreamId id, const std::string& name, bool flow_controlled);
  void ended(StreamId id) noexcept;
  void take(const DeliveredFrame& delivered) noexcept override;

  // Writes the pictures and ends the thread. Every lease has ended when it returns.
  void finish() noexcept;

  [[nodiscard]] const std::vector<std::string>& failures() const noexcept { return failures_; }

 private:
  struct Track;

  void work() noexcept;
  void collect(bool finishing);
  void copy_newest(Track& track);
  void write_picture(const Track& track);

  const std::string folder_;
  StreamIndex<Track> index_;  // the lane's view of the tracks
  Waker waker_;
  std::atomic<bool> finishing_{false};

  std::mutex mutex_;  // guards the list; never taken by the lane
  std::vector<std::shared_ptr<Track>> tracks_;

  std::vector<std::string> failures_;  // worker
  std::thread worker_;
};

}  // namespace penstock
