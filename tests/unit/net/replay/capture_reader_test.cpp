// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#include "net/replay/capture_reader.hpp"

#include "tests/support/captures.hpp"

#include <gtest/gtest.h>

#include <string_view>
#include <vector>

namespace penstock {
namespace {

// Writes captures in either byte order.
class Writer {
 public:
  explicit Writer(bool big_endian) : big_{big_endian} {}

  Writer& number(std::uint64_t value, std::size_t bytes) {
    for (std::size_t i = 0; i < bytes; ++i) {
      const std::size_t shift = 8 * (big_ ? bytes - 1 - i : i);
      file.push_back(static_cast<std::byte>(value >> shift));
    }
    return *this;
  }
  Writer& text(std::string_view text) {
    for (const char c : text) file.push_back(static_cast<std::byte>(c));
    return *this;
  }
  Writer& pcap(std::uint32_t magic) {
    return number(magic, 4).number(2, 2).number(4, 2).number(0, 8).number(65535, 4).number(1, 4);
  }
  Writer& record(std::uint64_t seconds, std::uint64_t fraction, std::string_view data,
                 std::size_t original) {
    number(seconds, 4).number(fraction, 4).number(data.size(), 4).number(original, 4);
    return text(data);
  }
  // `body` is padded to four bytes.
  Writer& block(std::uint32_t type, const Writer& body) {
    const std::size_t padding = (4 - body.file.size() % 4) % 4;
    const std::size_t bytes = 12 + body.file.size() + padding;
    number(type, 4).number(bytes, 4);
    file.insert(file.end(), body.file.begin(), body.file.end());
    return number(0, padding).number(bytes, 4);
  }
  [[nodiscard]] Writer body() const { return Writer{big_}; }

  std::vector<std::byte> file;

 private:
  bool big_;
};

std::string text_of(std::span<const std::byte> data) {
  return {reinterpret_cast<const char*>(data.data()), data.size()};
}

std::vector<std::byte> pcap(bool big, std::uint32_t magic) {
  return Writer{big}.pcap(magic).record(5, 7, "first", 5).record(6, 0, "second", 60).file;
}

// Two interfaces: the first counts microseconds, the second 2⁻¹⁰ s and begins 100 s late.
std::vector<std::byte> pcapng(bool big) {
  Writer w{big};
  w.block(0x0A0D0D0A, w.body().number(0x1A2B3C4D, 4).number(1, 2).number(0, 2).number(~0ull, 8));
  w.block(1, w.body().number(1, 2).number(0, 2).number(0, 4));
  w.block(1, w.body()
                 .number(101, 2)
                 .number(0, 2)
                 .number(0, 4)
                 .number(9, 2)
                 .number(1, 2)
                 .number(0x8A, 1)
                 .number(0, 3)
                 .number(14, 2)
                 .number(8, 2)
                 .number(100, 8)
                 .number(0, 4));
  w.block(6, w.body()
                 .number(0, 4)
                 .number(0, 4)
                 .number(5'000'007, 4)
                 .number(5, 4)
                 .number(5, 4)
                 .text("first"));
  w.block(0xBAD, w.body().text("a block that nobody knows"));
  w.block(6, w.body().number(1, 4).number(0, 4).number(2048, 4).number(6, 4).number(60, 4).text(
                 "second"));
  w.block(3, w.body().number(6, 4).text("simple"));
  w.block(
      2,
      w.body().number(0, 2).number(0, 2).number(0, 4).number(1, 4).number(3, 4).number(3, 4).text(
          "old"));
  return w.file;
}

TEST(CaptureReader, ReadsPcapOfEitherByteOrderAndResolution) {
  for (const bool big : {false, true}) {
    for (const auto& [magic, unit] : {std::pair{0xA1B2C3D4u, 1000}, {0xA1B23C4Du, 1}}) {
      const auto file = pcap(big, magic);
      CaptureReader reader{file};
      ASSERT_TRUE(reader.is_capture());

      const auto first = reader.next();
      const auto second = reader.next();

      ASSERT_TRUE(first && second);
      EXPECT_EQ(text_of(first->data), "first");
      EXPECT_EQ(first->time_ns, 5'000'000'000 + 7 * unit);
      EXPECT_EQ(first->link_type, 1u);
      EXPECT_EQ(second->original_bytes, 60u);
      EXPECT_FALSE(reader.next());
      EXPECT_FALSE(reader.fault());
    }
  }
}

TEST(CaptureReader, ReadsEveryPacketBlockOfPcapng) {
  for (const bool big : {false, true}) {
    const auto file = pcapng(big);
    CaptureReader reader{file};
    std::vector<CaptureRecord> records;
    while (const auto record = reader.next()) records.push_back(*record);

    EXPECT_FALSE(reader.fault()) << *reader.fault();
    ASSERT_EQ(records.size(), 4u);
    EXPECT_EQ(records[0].time_ns, 5'000'007'000);
    EXPECT_EQ(text_of(records[1].data), "second");
    EXPECT_EQ(records[1].link_type, 101u);
    EXPECT_EQ(records[1].time_ns, 102'000'000'000);
    EXPECT_EQ(records[1].original_bytes, 60u);
    EXPECT_EQ(text_of(records[2].data), "simple");
    EXPECT_EQ(text_of(records[3].data), "old");
  }
}

TEST(CaptureReader, GivesWhatIsWholeOfAFileThatIsCutAnywhere) {
  for (const auto& whole :
       {pcap(false, 0xA1B2C3D4), pcap(true, 0xA1B23C4D), pcapng(false), pcapng(true)}) {
    CaptureReader all{whole};
    std::vector<std::string> expected;
    while (const auto record = all.next()) expected.push_back(text_of(record->data));

    for (std::size_t bytes = 0; bytes < whole.size(); ++bytes) {
      // A copy of just this length, so that a read beyond it is seen by the sanitizers.
      const std::vector<std::byte> cut(whole.begin(),
                                       whole.begin() + static_cast<std::ptrdiff_t>(bytes));
      CaptureReader reader{cut};
      std::size_t n = 0;
      while (const auto record = reader.next()) {
        ASSERT_LT(n, expected.size());
        EXPECT_EQ(text_of(record->data), expected[n++]);
      }
      if (n < expected.size() && reader.is_capture() && bytes > 24 && reader.fault()) {
        EXPECT_NE(reader.fault()->find("truncated at byte " + std::to_string(bytes)),
                  std::string::npos)
            << *reader.fault();
      }
    }
  }
}

TEST(CaptureReader, EndsAtALengthThatCannotBe) {
  auto file = pcap(false, 0xA1B2C3D4);
  file[24 + 11] = std::byte{0xFF};

  CaptureReader reader{file};

  EXPECT_FALSE(reader.next());
  ASSERT_TRUE(reader.fault());
  EXPECT_NE(reader.fault()->find("malformed at byte 24"), std::string::npos);
}

TEST(CaptureReader, KnowsWhatIsNoCapture) {
  EXPECT_FALSE(CaptureReader{{}}.is_capture());
  EXPECT_FALSE(CaptureReader{std::vector<std::byte>(100)}.is_capture());
  const auto file = Writer{false}.text("hello, this is no capture at all").file;
  EXPECT_FALSE(CaptureReader{file}.is_capture());
}

TEST(CaptureReader, ReadsRealCapturesToTheirEnd) {
  for (const char* const name : {"gvsp/gigE_image.pcapng", "ouster/same_ports.pcap",
                                 "hesai/xt32.pcap", "ip/ipv6-frag.pcap"}) {
    PENSTOCK_NEEDS_CAPTURE(name);
    const auto file = test::contents(test::capture(name));
    CaptureReader reader{file};
    std::size_t records = 0;
    while (reader.next()) ++records;

    EXPECT_FALSE(reader.fault()) << name << ": " << *reader.fault();
    EXPECT_GT(records, 0u) << name;
  }
}

}  // namespace
}  // namespace penstock
