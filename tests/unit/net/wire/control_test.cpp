// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#include "net/wire/control.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace penstock::wire {
namespace {

std::span<const std::byte> payload_of(std::span<const std::byte> message) {
  return message.subspan(kHeaderBytes);
}

const OpenStream kCamera{.name = "camera_front.left-1",
                         .kind = StreamKind::uyvy,
                         .max_frame_bytes = 640 * 480 * 2,
                         .width = 640,
                         .height = 480,
                         .slots_wanted = 8};

TEST(Control, AnOpenStreamComesBackAsItWasSent) {
  const auto message = encode(5, kCamera);

  const auto parsed = parse_open_stream(payload_of(message));

  ASSERT_TRUE(parsed);
  EXPECT_EQ(parsed->name, kCamera.name);
  EXPECT_EQ(parsed->kind, kCamera.kind);
  EXPECT_EQ(parsed->max_frame_bytes, kCamera.max_frame_bytes);
  EXPECT_EQ(parsed->width, kCamera.width);
  EXPECT_EQ(parsed->height, kCamera.height);
  EXPECT_EQ(parsed->slots_wanted, kCamera.slots_wanted);
}

TEST(Control, AStreamThatContradictsItselfIsRefused) {
  const auto refused = [](auto&& change) {
    OpenStream stream = kCamera;
    change(stream);
    return !parse_open_stream(payload_of(encode(1, stream)));
  };
  EXPECT_TRUE(refused([](OpenStream& s) { s.name.clear(); }));
  EXPECT_TRUE(refused([](OpenStream& s) { s.name = ".."; }));
  EXPECT_TRUE(refused([](OpenStream& s) { s.name = "a/b"; }));
  EXPECT_TRUE(refused([](OpenStream& s) { s.name = std::string(65, 'a'); }));
  EXPECT_TRUE(refused([](OpenStream& s) { s.max_frame_bytes = 0; }));
  EXPECT_TRUE(refused([](OpenStream& s) { s.max_frame_bytes += 1; }));
  EXPECT_TRUE(refused([](OpenStream& s) { s.width = 0; }));
  EXPECT_TRUE(
      refused([](OpenStream& s) { s.kind = StreamKind::raw; }));  // a raw stream has no size
  EXPECT_FALSE(refused([](OpenStream&) {}));
}

TEST(Control, EveryPayloadIsRefusedWhenItIsCutOrTooLong) {
  const auto check = [](const std::vector<std::byte>& message, const auto& parse) {
    std::vector<std::byte> payload(message.begin() + kHeaderBytes, message.end());
    EXPECT_TRUE(parse(payload));
    payload.push_back(std::byte{0});
    EXPECT_FALSE(parse(payload));
    payload.pop_back();
    while (!payload.empty()) {
      payload.pop_back();
      EXPECT_FALSE(parse(payload)) << payload.size();
    }
  };
  check(encode(Hello{}), [](auto p) { return parse_hello(p).has_value(); });
  check(encode(Welcome{}), [](auto p) { return parse_welcome(p).has_value(); });
  check(encode(1, kCamera), [](auto p) { return parse_open_stream(p).has_value(); });
  check(encode(1, StreamOpened{4, 4096}),
        [](auto p) { return parse_stream_opened(p).has_value(); });
  check(encode(1, CloseStream{1, 2}), [](auto p) { return parse_close_stream(p).has_value(); });
  check(encode(1, StreamClosed{1, 2}), [](auto p) { return parse_stream_closed(p).has_value(); });
  check(encode_refused(1, {4, "no memory"}), [](auto p) { return parse_reason(p).has_value(); });
  check(encode_goodbye({0, "done"}), [](auto p) { return parse_reason(p).has_value(); });
}

TEST(Control, AReasonOfAnyLengthFitsItsMessage) {
  const auto message = encode_goodbye({1, std::string(5000, 'x')});

  EXPECT_LE(message.size(), kHeaderBytes + kMaxControlBytes);
  const auto reason = parse_reason(payload_of(message));
  ASSERT_TRUE(reason);
  EXPECT_GT(reason->text.size(), 500u);
}

TEST(Control, VersionsThatRunBackwardsAreRefused) {
  EXPECT_FALSE(parse_hello(payload_of(encode(Hello{.least_version = 3, .most_version = 2}))));
}

}  // namespace
}  // namespace penstock::wire
