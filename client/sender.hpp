// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>

// The sender library: what a rig links to send to Penstock. The only installed header; needs
// nothing but the standard library.
namespace penstock {

// The session cannot be had or has ended: what() is one line with the cause and, where there is
// one, the remedy.
class SenderError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

struct SenderOptions {
  std::string host;  // name or address, IPv4 or IPv6
  std::uint16_t port = 7470;
  int timeout_ms = 10'000;  // for connecting, opening and closing
};

struct StreamOptions {
  std::string name;  // 1..64 of a-z A-Z 0-9 _ - .
  std::string kind =
      "raw";  // as in configuration files: raw, imu, velodyne_vlp16, bayer_rg8, uyvy …
  std::uint64_t max_frame_bytes = 0;
  std::uint32_t width = 0;  // images: pixels
  std::uint32_t height = 0;
  std::uint32_t slots_wanted = 0;  // frames in flight; 0: the server's choice
  bool payload_crc = false;        // send a CRC-32C of every payload
};

// What becomes of a frame for which the receiver has granted no credit.
enum class OnNoCredit : std::uint8_t {
  wait,  // send() waits for credit: the source can wait
  drop,  // send() drops the frame, counts it as unsent and tells the receiver: a live sensor
};

struct SentCounts {
  std::uint64_t sent = 0;    // frames that went out
  std::uint64_t unsent = 0;  // dropped here for want of credit
  // What the receiver said when the stream was closed.
  std::uint64_t received = 0;
  std::uint64_t crc_mismatches = 0;
};

// One session with a server: one TCP connection that carries up to 64 streams.
//
// Thread: any one at a time; several threads need a lock or a Sender each.
// Errors: every call may throw SenderError; after that the session is over.
// Cost: send() allocates nothing.
class Sender {
 public:
  using Stream = std::uint32_t;

  // Connects and shakes hands.
  explicit Sender(const SenderOptions& options);
  Sender(Sender&&) noexcept;
  Sender& operator=(Sender&&) noexcept;
  ~Sender();  // without close(): frames on the way may be lost

  // Asks the server for a stream. Throws with the server's own words when it refuses.
  [[nodiscard]] Stream open(const StreamOptions& options);

  // Sends one frame; true when it went out. `sensor_time_ns`: the sender's clock, -1 unknown.
  // `payload` may be reused when the call returns.
  bool send(Stream stream, std::span<const std::byte> payload, std::int64_t sensor_time_ns = -1,
            OnNoCredit policy = OnNoCredit::wait);

  // True when a frame can be sent without waiting for credit; waits at most `timeout_ms` for it.
  [[nodiscard]] bool wait_for_credit(Stream stream, int timeout_ms);

  // Ends a stream: waits until the server has told its counts.
  SentCounts close(Stream stream);
  // Ends the session in order.
  void goodbye();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace penstock
