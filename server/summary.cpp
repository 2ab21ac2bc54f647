// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#include "server/summary.hpp"

#include "base/error.hpp"
#include "sink/whole_file.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace penstock {
namespace {

using Json = nlohmann::ordered_json;

template <class Cause>
Json by_cause(const Tally<Cause>& tally) {
  Json object = Json::object();
  for (std::size_t i = 0; i < Tally<Cause>::kCauses; ++i) {
    const auto cause = static_cast<Cause>(i);
    object[std::string{name(cause)}] = tally.get(cause);
  }
  return object;
}

Json dropped_frames(const StreamAccount& account) {
  Json object = Json::object();
  for (std::size_t i = 0; i < Tally<FrameDrop>::kCauses; ++i) {
    const auto cause = static_cast<FrameDrop>(i);
    object[std::string{name(cause)}] = account.frames_dropped(cause);
  }
  return object;
}

Json deliveries(const StreamAccount& account) {
  Json object = Json::object();
  for (std::size_t i = 0; i < account.decoding.deliveries.size(); ++i) {
    const std::uint64_t frames = account.decoding.deliveries[i].get();
    if (frames != 0) object[std::string{name(static_cast<Delivery>(i))}] = frames;
  }
  return object;
}

double microseconds(std::uint64_t ns) { return static_cast<double>(ns) / 1000.0; }

Json stream_json(const StreamRecord& record) {
  const StreamAccount& account = record.account;
  const auto& in = account.receiving;
  const auto& latency = account.decoding.complete_to_result_ns;
  return {
      {"name", record.name},
      {"format", name(record.kind.load())},
      {"delivery", deliveries(account)},
      {"packets",
       {{"received", in.packets_received.get()},
        {"placed", in.packets_placed.get()},
        {"side", in.packets_side.get()},
        {"lost", in.packets_lost.get()},
        {"rejected", by_cause(in.packets_rejected)},
        {"dropped", by_cause(in.packets_dropped)},
        {"receive_queue_overflows", in.receive_queue_overflows.get()}}},
      {"frames",
       {{"completed", in.frames_completed.get()},
        {"partial", in.frames_partial.get()},
        {"delivered", account.decoding.frames_delivered.get()},
        {"dropped", dropped_frames(account)},
        {"unsent", in.frames_unsent.get()}}},
      {"bytes",
       {{"received", in.bytes_received.get()}, {"copied_by_cpu", in.bytes_copied_by_cpu.get()}}},
      {"latency_us",
       {{"complete_to_result",
         {{"p50", microseconds(latency.quantile(0.5))},
          {"p99", microseconds(latency.quantile(0.99))},
          {"max", microseconds(latency.max())}}}}},
      {"books_balanced", account.balanced()},
  };
}

// " no_slot 3, aborted 1", or "none".
template <class Cause>
std::string causes(const std::function<std::uint64_t(Cause)>& count) {
  std::string text;
  for (std::size_t i = 0; i < static_cast<std::size_t>(Cause::count_); ++i) {
    const auto cause = static_cast<Cause>(i);
    if (const std::uint64_t n = count(cause); n != 0) {
      text += fmt::format("{}{} {}", text.empty() ? "" : ", ", name(cause), n);
    }
  }
  return text.empty() ? "none" : text;
}

std::string stream_text(const StreamRecord& record) {
  const StreamAccount& account = record.account;
  const auto& in = account.receiving;
  const auto& latency = account.decoding.complete_to_result_ns;
  std::string text = fmt::format("{} ({})\n", record.name, name(record.kind.load()));
  if (in.packets_received.get() != 0) {
    text += fmt::format(
        "  packets  {} received, {} lost; rejected: {}; dropped: {}\n", in.packets_received.get(),
        in.packets_lost.get(),
        causes<PacketReject>([&](PacketReject c) { return in.packets_rejected.get(c); }),
        causes<PacketDrop>([&](PacketDrop c) { return in.packets_dropped.get(c); }));
  }
  text += fmt::format("  frames   {} = {} delivered + dropped: {}; {} of them partial\n",
                      in.frames_completed.get(), account.decoding.frames_delivered.get(),
                      causes<FrameDrop>([&](FrameDrop c) { return account.frames_dropped(c); }),
                      in.frames_partial.get());
  text +=
      fmt::format("  bytes    {:.1f} MB received, {} copied by the CPU\n",
                  static_cast<double>(in.bytes_received.get()) / 1e6, in.bytes_copied_by_cpu.get());
  text +=
      fmt::format("  latency  complete to result: p50 {:.0f} us, p99 {:.0f} us, max {:.0f} us\n",
                  microseconds(latency.quantile(0.5)), microseconds(latency.quantile(0.99)),
                  microseconds(latency.max()));
  return text;
}

}  // namespace

bool books_balanced(const StreamTable& streams) {
  bool balanced = true;
  streams.for_each([&](const StreamRecord& record) { balanced &= record.account.balanced(); });
  return balanced;
}

Json summary_json(const StreamTable& streams, const ServerFacts& facts) {
  Json list = Json::array();
  streams.for_each([&](const StreamRecord& record) { list.push_back(stream_json(record)); });
  return {
      {"streams", std::move(list)},
      {"memory", {{"pinned_bytes", facts.pinned_bytes}}},
      {"books_balanced", books_balanced(streams)},
      {"device", facts.device},
      {"seconds", facts.seconds},
      {"recorder", {{"written", facts.frames_recorded}, {"missed", facts.frames_not_recorded}}},
  };
}

std::string summary_text(const StreamTable& streams, const ServerFacts& facts) {
  std::string text = fmt::format("\n{:.1f} s on {}, {:.1f} MiB pinned\n", facts.seconds,
                                 facts.device, static_cast<double>(facts.pinned_bytes) / (1 << 20));
  streams.for_each([&](const StreamRecord& record) { text += stream_text(record); });
  text += books_balanced(streams) ? "books: balanced\n"
                                  : "books: DO NOT BALANCE (a defect; please report it)\n";
  return text;
}

void write_file(const std::string& path, const std::string& text) {
  if (const auto written = write_whole_file(path, text); !written) {
    throw Error{written.error().cause, "cannot write " + path,
                "check that the folder exists, is writable and has space"};
  }
}

}  // namespace penstock
