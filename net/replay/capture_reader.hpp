// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace penstock {

// One captured packet, from its link layer on.
struct CaptureRecord {
  std::span<const std::byte> data;
  std::size_t original_bytes = 0;  // on the wire; more than data.size() when it was cut
  std::uint32_t link_type = 0;     // LINKTYPE_…, tcpdump.org/linktypes.html
  std::int64_t time_ns = 0;        // since 1970
};

// Reads pcap (microseconds and nanoseconds) and pcapng (several sections and interfaces), both in
// either byte order: draft-ietf-opsawg-pcap and -pcapng. By hand, because the packaged library has
// no static archive without half a desktop behind it (docs/adr/0001).
//
// Trusts nothing in the file: where it contradicts itself, reading ends and fault() says where.
// Thread: one. Lifetime: the bytes outlive it and its records.
class CaptureReader {
 public:
  explicit CaptureReader(std::span<const std::byte> file) noexcept;

  // Whether the bytes begin as a capture does.
  [[nodiscard]] bool is_capture() const noexcept { return format_ != Format::none; }

  // The next record, or nothing at the end of the file or at a fault.
  [[nodiscard]] std::optional<CaptureRecord> next();

  // "truncated at byte 400000", "malformed at byte 24: …", or nothing.
  [[nodiscard]] const std::optional<std::string>& fault() const noexcept { return fault_; }

 private:
  enum class Format : std::uint8_t { none, pcap, pcapng };
  struct Interface {
    std::uint32_t link_type = 0;
    std::uint32_t snap_bytes = 0;  // 0: no limit
    std::uint8_t resolution = 6;   // if_tsresol
    std::int64_t offset_s = 0;     // if_tsoffset
  };

  template <class T>
  [[nodiscard]] T get(std::size_t at) const noexcept;
  [[nodiscard]] std::size_t left() const noexcept { return file_.size() - at_; }
  std::nullopt_t truncated();
  std::nullopt_t malformed(const char* what);

  [[nodiscard]] std::optional<CaptureRecord> next_pcap();
  [[nodiscard]] std::optional<CaptureRecord> next_pcapng();
  [[nodiscard]] bool begin_section();
  void add_interface(std::size_t block, std::size_t bytes);
  [[nodiscard]] std::optional<CaptureRecord> packet_block(std::uint32_t type, std::size_t block,
                                                          std::size_t bytes);
  [[nodiscard]] static std::int64_t time_ns(const Interface& interface,
                                            std::uint64_t ticks) noexcept;

  std::span<const std::byte> file_;
  std::size_t at_ = 0;
  Format format_ = Format::none;
  bool swapped_ = false;
  bool nanoseconds_ = false;     // pcap
  std::uint32_t link_type_ = 0;  // pcap
  std::vector<Interface> interfaces_;
  std::optional<std::string> fault_;
};

}  // namespace penstock
