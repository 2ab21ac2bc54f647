// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#include "server/stream_table.hpp"

#include "base/error.hpp"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <cassert>
#include <iterator>
#include <optional>
#include <utility>

namespace penstock {
namespace {

// A peer that invents names must not make us keep books without end.
constexpr std::size_t kMostNames = 4096;

std::string mib(std::size_t bytes) {
  return fmt::format("{:.1f} MiB", static_cast<double>(bytes) / (1 << 20));
}

}  // namespace

struct StreamTable::Run {
  Run(StreamId id, StreamRecord& record_, const StreamPlan& plan_, Memory memory,
      const Parts& parts)
      : record{record_},
        plan{plan_},
        slots{std::move(memory.frames), plan_.slots, plan_.slot_bytes, parts.reactor.waker()},
        ready{plan_.slots} {
    if (plan.result_slots != 0) {
      results.emplace(std::move(memory.results), plan.result_slots, plan.result_slot_bytes,
                      parts.lane.waker());
    }
    port = {.id = id,
            .slots = &slots,
            .account = &record.account,
            .ready = &ready,
            .lane = &parts.lane.waker()};
    lane.id = id;
    lane.recipe = plan.recipe;
    lane.ready = &ready;
    lane.results = results ? &*results : nullptr;
    lane.account = &record.account;
  }

  [[nodiscard]] bool over() const noexcept {
    return lane.left.load(std::memory_order_acquire) && slots.outstanding() == 0 &&
           (!results || results->outstanding() == 0);
  }

  StreamRecord& record;
  StreamPlan plan;
  bool from_pool = false;
  bool closed = false;
  SlotRing slots;
  std::optional<SlotRing> results;
  FrameRing ready;
  StreamPort port;
  LaneStream lane;
};

StreamTable::StreamTable(const Config& config, Parts parts, std::size_t pool_bytes,
                         StreamObserver observer)
    : config_{config}, parts_{parts}, pool_bytes_{pool_bytes}, observer_{std::move(observer)} {}

// When a pipeline could not be put together, nobody has stopped the lane, which knows our streams.
StreamTable::~StreamTable() { parts_.lane.stop(0); }

const StreamConfig* StreamTable::declared(std::string_view name) const noexcept {
  const auto found = std::find_if(config_.streams.begin(), config_.streams.end(),
                                  [&](const StreamConfig& s) { return s.name == name; });
  return found == config_.streams.end() ? nullptr : &*found;
}

StreamRecord* StreamTable::find_or_add(std::string_view name) {
  const std::lock_guard lock{records_mutex_};
  const auto found = std::find_if(records_.begin(), records_.end(),
                                  [&](const auto& r) { return r->name == name; });
  if (found != records_.end()) return found->get();
  if (records_.size() == kMostNames) return nullptr;
  records_.push_back(std::make_unique<StreamRecord>());
  records_.back()->name = name;
  return records_.back().get();
}

std::optional<StreamTable::Memory> StreamTable::take(const StreamPlan& plan) {
  Memory memory;
  std::optional<SlabPart> frames = parts_.slab.take(plan.frame_memory());
  if (!frames) return std::nullopt;
  memory.frames = std::move(*frames);
  if (plan.result_slots != 0) {
    std::optional<SlabPart> results = parts_.slab.take(plan.result_memory());
    if (!results) return std::nullopt;
    memory.results = std::move(*results);
  }
  return memory;
}

StreamPort& StreamTable::begin(StreamRecord& record, const StreamPlan& plan, Memory memory,
                               const StreamConfig* declared, bool flow_controlled) {
  runs_.push_back(std::make_unique<Run>(next_id_++, record, plan, std::move(memory), parts_));
  Run& run = *runs_.back();
  run.from_pool = declared == nullptr;
  run.port.deliver_partial = declared == nullptr || declared->deliver_partial;
  record.kind = plan.kind;
  observer_.began(run.port.id, record, plan, flow_controlled);
  parts_.lane.add(run.lane);
  return run.port;
}

StreamPort& StreamTable::open_declared(const StreamConfig& stream, bool flow_controlled) {
  const StreamPlan wanted = plan(stream);
  std::optional<Memory> memory = take(wanted);
  StreamRecord* const record = find_or_add(stream.name);
  if (!memory || record == nullptr) {
    throw Error{Errc::limit_exceeded, fmt::format("no memory for stream {}", stream.name),
                sum_written_out(stream.name, wanted)};
  }
  return begin(*record, wanted, std::move(*memory), &stream, flow_controlled);
}

std::optional<StreamHost::Refusal> StreamTable::objection(const wire::OpenStream& request,
                                                          const StreamConfig* entry) const {
  using wire::RefusalCode;
  if (entry == nullptr && config_.listen && config_.listen->declared_only) {
    return Refusal{RefusalCode::not_declared,
                   fmt::format("stream {} has no entry under `streams:`, and `listen: {{streams: "
                               "declared}}` asks for one",
                               request.name)};
  }
  if (entry != nullptr && entry->udp) {
    return Refusal{RefusalCode::kind_mismatch,
                   fmt::format("stream {} is declared to come over UDP port {}", request.name,
                               entry->udp->port)};
  }
  if (entry != nullptr && (entry->format != request.kind || entry->width != request.width ||
                           entry->height != request.height)) {
    return Refusal{RefusalCode::kind_mismatch,
                   fmt::format("stream {} is declared as {} {}x{} and was asked for as {} {}x{}",
                               request.name, name(entry->format), entry->width, entry->height,
                               name(request.kind), request.width, request.height)};
  }
  const bool in_use = std::any_of(runs_.begin(), runs_.end(), [&](const auto& run) {
    return !run->closed && run->record.name == request.name;
  });
  if (in_use) {
    return Refusal{RefusalCode::name_in_use,
                   fmt::format("stream {} is being sent by another session", request.name)};
  }
  return std::nullopt;
}

tl::expected<StreamPort*, StreamHost::Refusal> StreamTable::open_stream(
    const wire::OpenStream& request) {
  using wire::RefusalCode;
  const auto refuse = [](RefusalCode code, std::string text) {
    return tl::unexpected{Refusal{code, std::move(text)}};
  };
  sweep();
  const StreamConfig* const entry = declared(request.name);
  if (auto refusal = objection(request, entry)) return tl::unexpected{std::move(*refusal)};

  StreamPlan wanted = plan(request, entry != nullptr && entry->checksum);
  if (entry != nullptr && entry->slots != 0) wanted.slots = entry->slots;
  std::optional<Memory> memory;
  for (StreamPlan attempt : {wanted, least(wanted)}) {
    if (entry == nullptr && pool_used_ + attempt.bytes() > pool_bytes_) continue;
    memory = take(attempt);
    if (!memory) continue;
    wanted = attempt;
    break;
  }
  if (!memory) return refuse(RefusalCode::no_memory, sum_written_out(request.name, least(wanted)));

  StreamRecord* const record = find_or_add(request.name);
  if (record == nullptr) {
    return refuse(RefusalCode::no_memory,
                  fmt::format("{} different stream names have been used; restart the server to "
                              "begin anew",
                              kMostNames));
  }
  if (entry == nullptr) pool_used_ += wanted.bytes();
  StreamPort& port = begin(*record, wanted, std::move(*memory), entry, true);
  spdlog::info("stream opened name={} kind={} slots={} slot_bytes={} result_slots={}", record->name,
               name(wanted.kind), wanted.slots, wanted.slot_bytes, wanted.result_slots);
  return &port;
}

void StreamTable::close_stream(StreamPort& port) noexcept {
  const auto run =
      std::find_if(runs_.begin(), runs_.end(), [&](const auto& r) { return &r->port == &port; });
  assert(run != runs_.end());
  (*run)->closed = true;
  parts_.lane.remove((*run)->lane);
}

std::size_t StreamTable::sweep() {
  std::size_t waiting = 0;
  std::erase_if(runs_, [&](const std::unique_ptr<Run>& run) {
    if (!run->closed) return false;
    if (!run->over()) {
      ++waiting;
      return false;
    }
    if (run->from_pool) pool_used_ -= run->plan.bytes();
    observer_.ended(run->port.id);
    return true;
  });
  return waiting;
}

std::string StreamTable::sum_written_out(const std::string& name, const StreamPlan& plan) const {
  std::string sum;
  for (const auto& run : runs_) {
    sum +=
        fmt::format("{}{} {}", sum.empty() ? "" : " + ", run->record.name, mib(run->plan.bytes()));
  }
  return fmt::format(
      "stream {} needs {} ({} slots of {} and {} result slots of {}); taken: {}; set aside for "
      "streams that clients open: {}. Raise memory.pinned_limit or listen.memory, or send smaller "
      "frames",
      name, mib(plan.bytes()), plan.slots, mib(plan.slot_bytes), plan.result_slots,
      mib(plan.result_slot_bytes), sum.empty() ? "nothing" : sum, mib(pool_bytes_));
}

void StreamTable::for_each(const std::function<void(const StreamRecord&)>& visit) const {
  std::vector<const StreamRecord*> records;
  {
    const std::lock_guard lock{records_mutex_};
    for (const auto& record : records_) records.push_back(record.get());
  }
  for (const StreamRecord* record : records) visit(*record);
}

}  // namespace penstock
