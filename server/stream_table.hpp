// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "buffer/slab.hpp"
#include "buffer/slot_ring.hpp"
#include "buffer/stream_account.hpp"
#include "gpu/lane.hpp"
#include "net/reactor.hpp"
#include "net/stream_host.hpp"
#include "server/config.hpp"
#include "server/stream_plan.hpp"

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace penstock {

// A stream as people know it: by its name, with books that go on when its sender comes back.
struct StreamRecord {
  std::string name;
  std::atomic<StreamKind> kind{StreamKind::raw};  // of the last opening
  StreamAccount account;
};

// Told when a stream begins, so that sinks know what its frames are, and when its last frame has
// passed. Both on the reactor; `began` before the first frame is published.
struct StreamObserver {
  std::function<void(StreamId, const StreamRecord&, const StreamPlan&, bool flow_controlled)> began;
  std::function<void(StreamId)> ended;
};

// All streams of this server: finds them memory, connects reactor and lane, and takes everything
// apart once the last lease has ended.
//
// Thread: the reactor, or while it does not run; for_each() from any thread.
// Lifetime: slab, lane and reactor outlive it; it stops the lane when it ends.
class StreamTable final : public StreamHost {
 public:
  struct Parts {
    Slab& slab;
    Lane& lane;
    Reactor& reactor;
  };
  // `pool_bytes`: what streams that are not declared may take of the slab together.
  StreamTable(const Config& config, Parts parts, std::size_t pool_bytes, StreamObserver observer);
  ~StreamTable() override;

  // A stream that stands in the configuration and is fed by UDP, or by a file, which unlike a
  // sensor can wait for slots. Throws Error.
  [[nodiscard]] StreamPort& open_declared(const StreamConfig& stream, bool flow_controlled);

  [[nodiscard]] tl::expected<StreamPort*, Refusal> open_stream(
      const wire::OpenStream& request) override;
  void close_stream(StreamPort& port) noexcept override;

  // Frees the memory of closed streams whose leases have all ended; the number still waiting.
  std::size_t sweep();

  // In the order in which they first came. The records live as long as the table.
  void for_each(const std::function<void(const StreamRecord&)>& visit) const;

 private:
  struct Run;  // one opening of a stream: its rings, its port, its place in the lane

  struct Memory {
    SlabPart frames;
    SlabPart results;
  };
  [[nodiscard]] std::optional<Memory> take(const StreamPlan& plan);
  [[nodiscard]] StreamPort& begin(StreamRecord& record, const StreamPlan& plan, Memory memory,
                                  const StreamConfig* declared, bool flow_controlled);
  [[nodiscard]] std::optional<Refusal> objection(const wire::OpenStream& request,
                                                 const StreamConfig* entry) const;
  [[nodiscard]] StreamRecord* find_or_add(std::string_view name);
  [[nodiscard]] const StreamConfig* declared(std::string_view name) const noexcept;
  [[nodiscard]] std::string sum_written_out(const std::string& name, const StreamPlan& plan) const;

  const Config& config_;
  Parts parts_;
  std::size_t pool_bytes_;
  std::size_t pool_used_ = 0;
  StreamObserver observer_;
  StreamId next_id_ = 1;

  mutable std::mutex records_mutex_;  // guards the vector; the accounts are read without it
  std::vector<std::unique_ptr<StreamRecord>> records_;
  std::vector<std::unique_ptr<Run>> runs_;
};

}  // namespace penstock
