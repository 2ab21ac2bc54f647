// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#include "base/error.hpp"
#include "base/human_bytes.hpp"
#include "buffer/budget.hpp"
#include "gpu/device.hpp"
#include "gpu/job_of.hpp"
#include "kernels/cpu/run.hpp"

#include <sys/mman.h>

#include <array>
#include <cerrno>
#include <utility>

namespace penstock {
namespace {

// Runs a batch on the lane's own thread: it is done when submit() returns.
class HostQueue final : public DeviceQueue {
 public:
  [[nodiscard]] std::size_t max_batch() const noexcept override { return kMaxBatch; }

  [[nodiscard]] bool submit(std::span<Work> batch) noexcept override {
    for (std::size_t i = 0; i < batch.size(); ++i) {
      Work& work = batch[i];
      work.checksum[0] = work.checksum[1] = 0;
      work.delivery = Delivery::mapped;
      jobs_[i] = job_of(work, {.payload = work.frame->bytes().data(),
                               .result = work.result ? work.result->bytes().data() : nullptr,
                               .sums = work.checksum});
    }
    kernels::cpu::run(std::span{jobs_}.first(batch.size()));
    return true;
  }

  [[nodiscard]] State poll() noexcept override { return State::done; }
  [[nodiscard]] std::string_view error() const noexcept override { return "none"; }

 private:
  // The frames of a batch become visible together: a longer one would make the first wait.
  static constexpr std::size_t kMaxBatch = 8;
  std::array<kernels::Job, kMaxBatch> jobs_{};
};

class HostDevice final : public Device {
 public:
  explicit HostDevice(bool lock_pages) noexcept : lock_pages_{lock_pages} {}

  [[nodiscard]] std::string description() const override {
    return lock_pages_ ? "host" : "host, pages not locked";
  }
  [[nodiscard]] Delivery delivery() const noexcept override { return Delivery::mapped; }

  [[nodiscard]] PinnedMemory pin(Mapping mapping) override {
    const std::span<std::byte> bytes = mapping.bytes();
    if (!lock_pages_) {
      return {std::move(mapping), bytes.data(),
              [](std::span<std::byte>) noexcept { return std::error_code{}; }};
    }
    if (::mlock(bytes.data(), bytes.size()) != 0) {
      throw Error{{errno, std::system_category()},
                  "lock " + human_bytes(bytes.size()) + " of memory (RLIMIT_MEMLOCK)",
                  memlock_remedies()};
    }
    return {std::move(mapping), bytes.data(), [](std::span<std::byte> locked) noexcept {
              return ::munlock(locked.data(), locked.size()) == 0
                         ? std::error_code{}
                         : std::error_code{errno, std::system_category()};
            }};
  }

  [[nodiscard]] std::unique_ptr<DeviceQueue> make_queue(const PinnedMemory& /*slab*/) override {
    return std::make_unique<HostQueue>();
  }

 private:
  bool lock_pages_;
};

}  // namespace

std::unique_ptr<Device> make_host_device(const DeviceChoice& choice) {
  return std::make_unique<HostDevice>(choice.lock_pages);
}

}  // namespace penstock
