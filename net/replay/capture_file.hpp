// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "net/replay/capture_reader.hpp"
#include "net/replay/fragments.hpp"
#include "net/replay/packet.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace penstock {

// A capture as a sequence of UDP datagrams, whole again where they came in fragments. The file
// stays mapped, so that a payload is read from where it lies.
//
// Thread: one.
class CaptureFile {
 public:
  // Throws Error when the file cannot be read or is not a capture, with its name.
  CaptureFile(std::string path, Fragments::OnBroken on_broken);
  CaptureFile(const CaptureFile&) = delete;
  CaptureFile& operator=(const CaptureFile&) = delete;
  ~CaptureFile();

  struct Datagram {
    UdpDatagram udp;
    std::int64_t time_ns = 0;
  };
  // The next one; its payload is valid until the next call. Nothing at the end.
  [[nodiscard]] std::optional<Datagram> next();

  // Why it ended before its end, or nothing.
  [[nodiscard]] std::optional<std::string> fault() const;
  [[nodiscard]] const std::string& path() const noexcept { return path_; }

 private:
  std::string path_;
  std::span<const std::byte> bytes_;
  CaptureReader reader_;
  Fragments fragments_;
};

}  // namespace penstock
