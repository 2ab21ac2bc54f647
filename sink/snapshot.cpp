// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#include "sink/snapshot.hpp"

#include "base/clock.hpp"
#include "sink/birds_eye.hpp"
#include "sink/folder.hpp"
#include "sink/latest.hpp"
#include "sink/png.hpp"
#include "sink/whole_file.hpp"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <utility>

namespace penstock {
namespace {

constexpr int kPeriodMs = 200;
constexpr std::int64_t kPeriodNs = kPeriodMs * std::int64_t{1'000'000};

}  // namespace

// One opening of a stream. Owned by the list, and by the worker, which may be at it when the stream
// ends.
struct Snapshot::Track {
  Track(StreamId id_, std::string name_, bool every_frame_)
      : id{id_}, name{std::move(name_)}, every_frame{every_frame_} {}

  const StreamId id;
  const std::string name;
  const bool every_frame;

  Latest<FrameRef> newest;         // lane → worker
  std::atomic<bool> wanted{true};  // worker → lane
  bool whole_seen = false;         // lane

  // The worker's.
  std::int64_t next_ns = 0;
  FrameInfo info;
  std::vector<std::byte> bytes;  // empty: no frame yet

  bool over = false;  // the list's mutex guards it
};

Snapshot::Snapshot(std::string folder) : folder_{std::move(folder)} {
  require_writable_folder(folder_, "--report");
  worker_ = std::thread{[this] { work(); }};
}

Snapshot::~Snapshot() { finish(); }

void Snapshot::began(StreamId id, const std::string& name, bool flow_controlled) {
  auto track = std::make_shared<Track>(id, name, flow_controlled);
  if (!index_.add(id, track.get())) return;
  const std::lock_guard lock{mutex_};
  tracks_.push_back(std::move(track));
}

void Snapshot::ended(StreamId id) noexcept {
  index_.remove(id);
  const std::lock_guard lock{mutex_};
  for (const auto& track : tracks_) track->over |= track->id == id;
}

void Snapshot::take(const DeliveredFrame& delivered) noexcept {
  if (!delivered.result || delivered.result.info().layout.kind == ContentLayout::Kind::bytes) {
    return;
  }
  Track* const track = index_.find(delivered.frame.info().stream);
  if (track == nullptr) return;
  const bool whole = delivered.frame.info().whole;
  if (!whole && track->whole_seen) return;
  // Relaxed: the flag carries no data; the exchange in Latest does. Cleared before the frame can be
  // seen, or it might undo the wish for the next one.
  if (!track->every_frame && !track->wanted.exchange(false, std::memory_order_relaxed)) return;

  track->whole_seen |= whole;
  track->newest.put(delivered.result.share());
  if (!track->every_frame) waker_.notify();
}

void Snapshot::finish() noexcept {
  if (!worker_.joinable()) return;
  finishing_.store(true, std::memory_order_release);
  waker_.notify();
  worker_.join();
}

void Snapshot::work() noexcept {
  for (bool finishing = false; !finishing;) {
    waker_.arm();
    if (!finishing_.load(std::memory_order_acquire)) waker_.wait(kPeriodMs);
    waker_.disarm();
    // Read before collecting: whatever was taken before finish() was called is then seen.
    finishing = finishing_.load(std::memory_order_acquire);
    try {
      collect(finishing);
    } catch (const std::exception& error) {
      failures_.push_back(fmt::format("report: {}", error.what()));
    }
  }
  // Even if there was no memory for the pictures: the leases have to end.
  for (const auto& track : tracks_) (void)track->newest.take();
}

void Snapshot::collect(bool finishing) {
  std::vector<std::shared_ptr<Track>> open, over;
  {
    const std::lock_guard lock{mutex_};
    for (const auto& track : tracks_) (finishing || track->over ? over : open).push_back(track);
    std::erase_if(tracks_, [](const auto& track) { return track->over; });
  }
  for (const auto& track : open) copy_newest(*track);
  for (const auto& track : over) {
    copy_newest(*track);
    write_picture(*track);
  }
}

void Snapshot::copy_newest(Track& track) {
  const std::int64_t now = monotonic_ns();
  const FrameRef frame = track.newest.take();
  if (frame) {
    track.info = frame.info();
    track.bytes.assign(frame.bytes().begin(), frame.bytes().end());
    track.next_ns = now + kPeriodNs;
  } else if (now >= track.next_ns) {
    track.wanted.store(true, std::memory_order_relaxed);
  }
}

void Snapshot::write_picture(const Track& track) {
  if (track.bytes.empty()) return;
  const ContentLayout& layout = track.info.layout;
  const bool points = layout.kind == ContentLayout::Kind::points;
  RgbImage image;
  if (points) {
    image = birds_eye(*layout.records, layout.count, track.bytes,
                      fmt::format("{}   frame {}{}", track.name, track.info.sequence,
                                  track.info.whole ? "" : "   (partial)"));
  } else if (!image.assign_planes(layout.width, layout.height, track.bytes)) {
    failures_.push_back(fmt::format("report: the last image of {} is too short", track.name));
    return;
  }
  std::vector<std::byte> file;
  if (const auto encoded = encode_png(image, file); !encoded) {
    failures_.push_back(fmt::format("report: {}: {}", track.name, encoded.error()));
    return;
  }
  const std::string path =
      fmt::format("{}/{}{}", folder_, track.name, points ? ".birdseye.png" : ".png");
  if (const auto written = write_whole_file(path, file); !written) {
    failures_.push_back("report: " + written.error().text);
  }
}

}  // namespace penstock
