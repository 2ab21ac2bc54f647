// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#include "sink/recorder.hpp"

#include "sink/folder.hpp"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <limits>
#include <new>
#include <optional>
#include <utility>

namespace penstock {

// One opening of a stream. Owned by the list of open streams and by the worker, which may be about
// to look into its queue when the stream ends.
struct Recorder::Track {
  explicit Track(const StreamFacts& stream)
      : id{stream.id},
        name{stream.name},
        most_held{most(stream)},
        queue{std::max(stream.slots, 1u)} {}

  // How many frames of a live stream may be held: half of its slots, or of its result slots, if
  // they are fewer. A sender with flow control has no bound beside its slots: one would skip a
  // frame that comes in the slot just freed, before the worker has counted that.
  static std::uint32_t most(const StreamFacts& stream) noexcept {
    if (stream.flow_controlled) return std::numeric_limits<std::uint32_t>::max();
    const bool results = stream.result_slots != 0;
    return (results ? std::min(stream.slots, stream.result_slots) : stream.slots) / 2;
  }

  const StreamId id;
  const std::string name;
  const std::uint32_t most_held;
  SpscRing<DeliveredFrame> queue;      // lane → worker
  std::atomic<std::uint32_t> held{0};  // in the queue or being written
  StreamFolder folder;                 // worker
};

Recorder::Recorder(std::string folder) : folder_{std::move(folder)}, files_{folder_} {
  require_writable_folder(folder_, "--dump");
  worker_ = std::thread{[this] { work(); }};
}

Recorder::~Recorder() { finish(); }

void Recorder::began(const StreamFacts& stream) {
  auto track = std::make_shared<Track>(stream);
  if (!index_.add(track->id, track.get())) {
    spdlog::warn("stream not recorded name={} reason=\"too many streams are open\"", track->name);
    return;
  }
  const std::lock_guard lock{mutex_};
  tracks_.push_back(std::move(track));
  version_.fetch_add(1, std::memory_order_release);
}

void Recorder::ended(StreamId id) noexcept {
  index_.remove(id);
  const std::lock_guard lock{mutex_};
  std::erase_if(tracks_, [&](const auto& track) { return track->id == id; });
  version_.fetch_add(1, std::memory_order_release);
}

void Recorder::take(const DeliveredFrame& delivered) noexcept {
  Track* const track = index_.find(delivered.frame.info().stream);
  // acquire: pairs with the worker's release, so that its place in the queue is seen to be free.
  if (track == nullptr || track->held.load(std::memory_order_acquire) >= track->most_held) {
    skipped_.add();
    return;
  }
  track->held.fetch_add(1, std::memory_order_relaxed);
  if (!track->queue.try_push(delivered.share())) {
    // Cannot be: the queue has room for all that may be held.
    track->held.fetch_sub(1, std::memory_order_relaxed);
    skipped_.add();
    return;
  }
  waker_.notify();
}

void Recorder::finish() noexcept {
  if (!worker_.joinable()) return;
  finishing_.store(true, std::memory_order_release);
  waker_.notify();
  worker_.join();
  if (frames_not_recorded() != 0) {
    spdlog::warn("recording has gaps recorded={} skipped={} failed={}", recorded_.get(),
                 skipped_.get(), failed_.get());
  }
}

// True when streams came or went.
bool Recorder::refresh(Tracks& tracks, std::uint64_t& version) {
  if (version_.load(std::memory_order_acquire) == version) return false;
  const std::lock_guard lock{mutex_};
  version = version_.load(std::memory_order_relaxed);
  tracks = tracks_;
  return true;
}

void Recorder::work() noexcept {
  Tracks tracks;
  std::uint64_t version = 0;
  // One frame of each stream in turn, so that a fast stream does not starve a slow one.
  const auto turn = [&] {
    bool worked = refresh(tracks, version);
    for (const auto& track : tracks) worked |= write_one(*track);
    return worked;
  };
  for (;;) {
    // Read before the turn: whatever was taken before finish() was called is seen by it.
    const bool finishing = finishing_.load(std::memory_order_acquire);
    if (turn()) continue;
    if (finishing) return;
    waker_.arm();
    if (!turn() && !finishing_.load(std::memory_order_acquire)) waker_.wait(-1);
    waker_.disarm();
  }
}

bool Recorder::write_one(Track& track) noexcept {
  std::optional<DeliveredFrame> item = track.queue.try_pop();
  if (!item) return false;
  try {
    const auto written = files_.write(track.name, track.folder, *item);
    if (written) {
      recorded_.add();
    } else {
      note(written.error());
      failed_.add();
    }
  } catch (const std::bad_alloc&) {
    failed_.add();
    out_of_memory_.add();
  }
  item.reset();
  track.held.fetch_sub(1, std::memory_order_release);
  return true;
}

void Recorder::note(const FileFailure& failure) {
  const std::lock_guard lock{mutex_};
  Failure& entry = failures_[failure.cause];
  if (entry.frames++ != 0) return;
  entry.first = failure.text;
  spdlog::error("recording failed error=\"{}\"", failure.text);
}

std::vector<std::string> Recorder::failures() const {
  std::vector<std::string> list;
  const std::lock_guard lock{mutex_};
  for (const auto& [cause, failure] : failures_) {
    list.push_back(fmt::format("recorder: {} ({} frames)", failure.first, failure.frames));
  }
  if (out_of_memory_.get() != 0) {
    list.push_back(fmt::format("recorder: not enough memory ({} frames)", out_of_memory_.get()));
  }
  return list;
}

}  // namespace penstock
