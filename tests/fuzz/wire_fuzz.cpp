// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#include "net/wire/control.hpp"
#include "net/wire/crc32c.hpp"
#include "net/wire/message.hpp"

#include <cstdint>
#include <cstdlib>
#include <cstring>

namespace {

using namespace penstock::wire;  // NOLINT(google-build-using-namespace): a program of one file

void require(bool holds) {
  if (!holds) std::abort();
}

// What parses must encode to the same bytes: no two readings of one message.
void header(std::span<const std::byte> input) {
  if (input.size() < kHeaderBytes) return;
  std::array<std::byte, kHeaderBytes> bytes;
  std::memcpy(bytes.data(), input.data(), bytes.size());
  // The checksum would keep the fuzzer out of everything behind it.
  const std::uint32_t crc = crc32c(std::span<const std::byte>{bytes}.first(60));
  std::memcpy(bytes.data() + 60, &crc, sizeof crc);
  if (const auto parsed = parse_header(bytes)) require(encode(*parsed) == bytes);
}

template <class Parsed>
void same_again(const Parsed& parsed, std::span<const std::byte> payload) {
  const auto message = encode(1, parsed);
  require(message.size() == kHeaderBytes + payload.size());
  require(std::memcmp(message.data() + kHeaderBytes, payload.data(), payload.size()) == 0);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::span<const std::byte> input = std::as_bytes(std::span{data, size});
  header(input);
  if (size > kMaxControlBytes) return 0;
  (void)parse_hello(input);
  (void)parse_welcome(input);
  (void)parse_credit(input);
  (void)parse_reason(input);
  if (const auto parsed = parse_open_stream(input)) {
    require(is_stream_name(parsed->name));
    same_again(*parsed, input);
  }
  if (const auto parsed = parse_stream_opened(input)) same_again(*parsed, input);
  if (const auto parsed = parse_close_stream(input)) same_again(*parsed, input);
  if (const auto parsed = parse_stream_closed(input)) same_again(*parsed, input);
  return 0;
}
