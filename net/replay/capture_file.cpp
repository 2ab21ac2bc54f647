// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#include "net/replay/capture_file.hpp"

#include "base/error.hpp"
#include "base/file_descriptor.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include <cerrno>
#include <utility>

namespace penstock {
namespace {

std::span<const std::byte> mapped(const std::string& path) {
  const FileDescriptor fd{
      require_not_negative(::open(path.c_str(), O_RDONLY | O_CLOEXEC), "open the capture " + path)};
  struct stat facts {};
  require_not_negative(::fstat(fd.get(), &facts), "look at the capture " + path);
  if (!S_ISREG(facts.st_mode) || facts.st_size == 0) {
    throw Error{Errc::invalid_file, "read the capture " + path,
                facts.st_size == 0 ? "it is empty" : "it is not a file"};
  }
  const auto bytes = static_cast<std::size_t>(facts.st_size);
  void* const at = ::mmap(nullptr, bytes, PROT_READ, MAP_PRIVATE, fd.get(), 0);
  if (at == MAP_FAILED) throw Error{{errno, std::system_category()}, "map the capture " + path};
  (void)::madvise(at, bytes, MADV_SEQUENTIAL);
  return {static_cast<const std::byte*>(at), bytes};
}

}  // namespace

CaptureFile::CaptureFile(std::string path, Fragments::OnBroken on_broken)
    : path_{std::move(path)},
      bytes_{mapped(path_)},
      reader_{bytes_},
      fragments_{std::move(on_broken)} {
  if (reader_.is_capture()) return;
  ::munmap(const_cast<std::byte*>(bytes_.data()), bytes_.size());
  throw Error{Errc::invalid_file, "read the capture " + path_,
              "it begins neither as pcap nor as pcapng; compressed files are to be unpacked first"};
}

CaptureFile::~CaptureFile() { ::munmap(const_cast<std::byte*>(bytes_.data()), bytes_.size()); }

std::optional<CaptureFile::Datagram> CaptureFile::next() {
  while (const auto record = reader_.next()) {
    const auto packet = find_ip(*record);
    if (!packet || packet->protocol != kUdpProtocol) continue;
    std::span<const std::byte> payload = packet->payload;
    if (packet->fragment()) {
      const auto whole = fragments_.add(*packet, record->time_ns);
      if (!whole) continue;
      payload = *whole;
    }
    if (const auto udp = find_udp(payload, packet->cut)) {
      return Datagram{*udp, record->time_ns};
    }
  }
  fragments_.give_up_all();
  return std::nullopt;
}

std::optional<std::string> CaptureFile::fault() const {
  if (!reader_.fault()) return std::nullopt;
  return fmt::format("the capture {} is {}", path_, *reader_.fault());
}

}  // namespace penstock
