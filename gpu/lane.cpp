// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/lane.hpp"

#include "base/clock.hpp"

#include <pthread.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <utility>

namespace penstock {
namespace {

constexpr int kLookMs = 100;  // a lost wake-up would be a defect; it must not become a hang
constexpr int kDrainLookMs = 5;

}  // namespace

// The batch that the device has, or that is being put together for it.
struct Lane::Batch {
  explicit Batch(std::size_t most) : works(most), frames(most), results(most), streams(most) {}

  std::vector<Work> works;
  std::vector<FrameRef> frames;
  std::vector<FrameWriter> results;
  std::vector<LaneStream*> streams;
  std::size_t count = 0;
  bool in_flight = false;
};

Lane::Lane(std::unique_ptr<DeviceQueue> queue, OnDelivered on_delivered)
    : queue_{std::move(queue)},
      on_delivered_{std::move(on_delivered)},
      batch_{std::make_unique<Batch>(queue_->max_batch())} {}

Lane::~Lane() { stop(0); }

void Lane::start() {
  thread_ = std::thread{[this] {
    ::pthread_setname_np(::pthread_self(), "lane");
    run();
  }};
}

void Lane::add(LaneStream& stream) {
  const std::lock_guard lock{mutex_};
  streams_.push_back(&stream);
  version_.fetch_add(1, std::memory_order_release);
}

void Lane::remove(LaneStream& stream) noexcept {
  stream.leaving.store(true, std::memory_order_release);
  version_.fetch_add(1, std::memory_order_release);
  waker_.notify();
}

void Lane::run() noexcept {
  for (;;) {
    // Looked at first: neither a device that hangs nor frames that keep coming may outlast it.
    const std::int64_t stop_by = stop_by_ns_.load(std::memory_order_acquire);
    if (stop_by != 0 && monotonic_ns() >= stop_by) return;
    if (do_work() != 0) continue;
    if (batch_->in_flight) {  // a GPU answers within microseconds; sleeping would take longer
      std::this_thread::yield();
      continue;
    }
    if (stop_by != 0 && !anything_ready()) return;
    waker_.arm();
    if (do_work() == 0 && !batch_->in_flight) waker_.wait(stop_by != 0 ? kDrainLookMs : kLookMs);
    waker_.disarm();
  }
}

void Lane::stop(int drain_ms) noexcept {
  if (queue_ == nullptr) return;
  stop_by_ns_.store(monotonic_ns() + std::int64_t{drain_ms} * 1'000'000 + 1,
                    std::memory_order_release);
  waker_.notify();
  // Never started, or stepped by hand: the same way out, on the caller's thread.
  thread_.joinable() ? thread_.join() : run();
  // A batch in flight keeps its leases until the queue is gone, which waits as long as the device
  // touches a frame.
  queue_.reset();
  drop_batch(FrameDrop::shutdown);
  drop_ready(FrameDrop::shutdown);
  let_go_of_leaving();
}

std::size_t Lane::do_work() noexcept {
  moved_ = 0;
  if (batch_->in_flight && !retire()) return 0;
  if (version_.load(std::memory_order_acquire) != version_served_) refresh_streams();
  gather();
  if (batch_->count != 0 && submit()) (void)retire();  // the host device is done already
  return moved_;
}

void Lane::refresh_streams() noexcept {
  version_served_ = version_.load(std::memory_order_acquire);
  {
    const std::lock_guard lock{mutex_};
    serving_ = streams_;
  }
  let_go_of_leaving();
}

void Lane::let_go_of_leaving() noexcept {
  const auto gone = [this](LaneStream* stream) {
    if (!stream->leaving.load(std::memory_order_acquire) || stream->ready->front() != nullptr) {
      return false;
    }
    return std::none_of(batch_->streams.begin(),
                        batch_->streams.begin() + static_cast<std::ptrdiff_t>(batch_->count),
                        [&](const LaneStream* busy) { return busy == stream; });
  };
  const std::lock_guard lock{mutex_};
  std::erase_if(streams_, [&](LaneStream* stream) {
    if (!gone(stream)) return false;
    std::erase(serving_, stream);
    stream->left.store(true, std::memory_order_release);  // from here on it may be destroyed
    return true;
  });
  const bool some_still_leave = std::any_of(
      streams_.begin(), streams_.end(),
      [](const LaneStream* stream) { return stream->leaving.load(std::memory_order_relaxed); });
  if (some_still_leave) version_served_ = version_.load(std::memory_order_relaxed) - 1;
}

void Lane::gather() noexcept {
  const std::size_t most = batch_->works.size();
  for (bool any = !serving_.empty(); any && batch_->count < most;) {
    any = false;
    for (std::size_t i = 0; i < serving_.size() && batch_->count < most; ++i) {
      first_ = (first_ + 1) % serving_.size();
      any |= take_one(*serving_[first_]);
    }
  }
}

bool Lane::take_one(LaneStream& stream) noexcept {
  const FrameRef* const oldest = stream.ready->front();
  if (oldest == nullptr) return false;
  if (!decodable(stream.recipe, oldest->info())) {
    (void)stream.ready->try_pop();
    stream.account->decoding.frames_dropped.add(FrameDrop::device_failed);
    ++moved_;
    return true;
  }
  FrameWriter result;
  if (stream.results != nullptr) {
    result = stream.results->acquire();
    if (!result) {
      stream.results->wake_when_returned();
      result = stream.results->acquire();  // one may have come back just before
    }
    if (!result) return false;
  }
  Batch& batch = *batch_;
  const std::size_t i = batch.count++;
  batch.frames[i] = *stream.ready->try_pop();
  batch.results[i] = std::move(result);
  batch.streams[i] = &stream;
  batch.works[i] = {.frame = &batch.frames[i],
                    .result = batch.results[i] ? &batch.results[i] : nullptr,
                    .recipe = &stream.recipe};
  ++moved_;
  return true;
}

bool Lane::submit() noexcept {
  batch_->in_flight = queue_->submit(std::span{batch_->works}.first(batch_->count));
  if (batch_->in_flight) return true;
  report_failure();
  drop_batch(FrameDrop::device_failed);
  return false;
}

bool Lane::retire() noexcept {
  switch (queue_->poll()) {
    case DeviceQueue::State::pending:
      return false;
    case DeviceQueue::State::failed:
      report_failure();
      drop_batch(FrameDrop::device_failed);
      return true;
    case DeviceQueue::State::done:
      break;
  }
  const std::int64_t now = monotonic_ns();
  for (std::size_t i = 0; i < batch_->count; ++i) deliver(i, now);
  moved_ += batch_->count;
  batch_->count = 0;
  batch_->in_flight = false;
  return true;
}

void Lane::deliver(std::size_t index, std::int64_t now_ns) noexcept {
  const Work& work = batch_->works[index];
  const LaneStream& stream = *batch_->streams[index];
  StreamAccount::Decoding& books = stream.account->decoding;
  DeliveredFrame delivered{.frame = std::move(batch_->frames[index]),
                           .result = {},
                           .delivery = work.delivery,
                           .result_ns = now_ns,
                           .checksum = {work.checksum[0], work.checksum[1]}};
  if (work.result != nullptr) {
    const ResultShape shape = result_shape(stream.recipe, delivered.frame.info());
    FrameInfo info = delivered.frame.info();
    info.bytes = info.bytes_expected = shape.bytes;
    info.layout = shape.layout;
    delivered.result = std::move(batch_->results[index]).publish(info);
  }
  books.complete_to_result_ns.record(now_ns - delivered.frame.info().completed_ns);
  books.deliveries[static_cast<std::size_t>(work.delivery)].add();
  books.frames_delivered.add();
  on_delivered_(delivered);
}

void Lane::drop_batch(FrameDrop cause) noexcept {
  for (std::size_t i = 0; i < batch_->count; ++i) {
    batch_->streams[i]->account->decoding.frames_dropped.add(cause);
    batch_->frames[i] = {};
    batch_->results[i] = {};
  }
  moved_ += batch_->count;
  batch_->count = 0;
  batch_->in_flight = false;
}

void Lane::drop_ready(FrameDrop cause) noexcept {
  refresh_streams();
  for (LaneStream* const stream : serving_) {
    while (stream->ready->try_pop()) stream->account->decoding.frames_dropped.add(cause);
  }
}

bool Lane::anything_ready() noexcept {
  return std::any_of(serving_.begin(), serving_.end(),
                     [](LaneStream* stream) { return stream->ready->front() != nullptr; });
}

void Lane::report_failure() noexcept {
  if (const auto held_back = failures_.admit(monotonic_ns())) {
    spdlog::error("batch failed frames={} error=\"{}\" held_back={}", batch_->count,
                  queue_->error(), *held_back);
  }
}

}  // namespace penstock
