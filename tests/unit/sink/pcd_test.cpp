// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#include "sink/pcd.hpp"

#include "tests/unit/sink/frames.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <sstream>

namespace penstock {
namespace {

using test::kNoReturn;
using test::Record;
using testing::ElementsAre;

// Reads a binary PCD by its header, sharing nothing with the encoder.
struct Pcd {
  std::map<std::string, std::vector<std::string>> header;
  std::string body;

  explicit Pcd(const std::vector<std::byte>& file) {
    std::string text(file.size(), '\0');
    std::memcpy(text.data(), file.data(), file.size());
    std::size_t at = 0;
    while (header.count("DATA") == 0 && at < text.size()) {
      const std::size_t end = text.find('\n', at);
      std::istringstream words{text.substr(at, end - at)};
      at = end + 1;
      std::string key, word;
      words >> key;
      if (key.starts_with("#")) continue;
      auto& values = header[key];
      while (words >> word) values.push_back(word);
    }
    body = text.substr(at);
  }
  [[nodiscard]] std::size_t packed() const {
    std::size_t bytes = 0;
    for (const std::string& size : header.at("SIZE")) bytes += std::stoul(size);
    return bytes;
  }
  template <class T>
  [[nodiscard]] T value(std::size_t point, std::string_view field) const {
    std::size_t at = point * packed();
    for (std::size_t i = 0; header.at("FIELDS")[i] != field; ++i) {
      at += std::stoul(header.at("SIZE")[i]);
    }
    T value{};
    std::memcpy(&value, body.data() + at, sizeof value);
    return value;
  }
};

Pcd encode(const std::vector<Record>& records) {
  std::vector<std::byte> file;
  encode_pcd(test::kRecords, records.size(), test::bytes_of_all(records), file);
  return Pcd{file};
}

TEST(Pcd, HasItsFieldsInTheFixedOrderAndUnknownOnesBehind) {
  const Pcd pcd = encode({Record{}});

  EXPECT_THAT(pcd.header.at("FIELDS"),
              ElementsAre("x", "y", "z", "intensity", "ring", "time", "return", "doppler"));
  EXPECT_THAT(pcd.header.at("SIZE"), ElementsAre("4", "4", "4", "1", "2", "4", "1", "4"));
  EXPECT_THAT(pcd.header.at("TYPE"), ElementsAre("F", "F", "F", "U", "U", "U", "U", "F"));
  EXPECT_THAT(pcd.header.at("COUNT"), ElementsAre("1", "1", "1", "1", "1", "1", "1", "1"));
  EXPECT_THAT(pcd.header.at("VERSION"), ElementsAre("0.7"));
  EXPECT_THAT(pcd.header.at("VIEWPOINT"), ElementsAre("0", "0", "0", "1", "0", "0", "0"));
  EXPECT_THAT(pcd.header.at("DATA"), ElementsAre("binary"));
}

TEST(Pcd, GivesBackWhatWasPutIn) {
  const Record in{.x = 1.5f,
                  .y = -2.25f,
                  .z = 1e-3f,
                  .time = 4'000'000'000u,
                  .ring = 515,
                  .intensity = 200,
                  .echo = 2,
                  .doppler = -7.5f};

  const Pcd pcd = encode({Record{}, in});

  ASSERT_EQ(pcd.body.size(), 2 * pcd.packed());
  EXPECT_EQ(pcd.value<float>(1, "x"), in.x);
  EXPECT_EQ(pcd.value<float>(1, "y"), in.y);
  EXPECT_EQ(pcd.value<float>(1, "z"), in.z);
  EXPECT_EQ(pcd.value<std::uint32_t>(1, "time"), in.time);
  EXPECT_EQ(pcd.value<std::uint16_t>(1, "ring"), in.ring);
  EXPECT_EQ(pcd.value<std::uint8_t>(1, "intensity"), in.intensity);
  EXPECT_EQ(pcd.value<std::uint8_t>(1, "return"), in.echo);
  EXPECT_EQ(pcd.value<float>(1, "doppler"), in.doppler);
}

TEST(Pcd, LeavesOutPointsWithoutAReturn) {
  const Pcd pcd = encode({Record{.x = 1}, Record{.x = kNoReturn}, Record{.x = 3}});

  EXPECT_THAT(pcd.header.at("POINTS"), ElementsAre("2"));
  EXPECT_THAT(pcd.header.at("WIDTH"), ElementsAre("2"));
  EXPECT_THAT(pcd.header.at("HEIGHT"), ElementsAre("1"));
  EXPECT_EQ(pcd.value<float>(0, "x"), 1);
  EXPECT_EQ(pcd.value<float>(1, "x"), 3);
}

TEST(Pcd, OfNoPointsIsAValidFileOfNone) {
  const Pcd pcd = encode({Record{.x = kNoReturn}});

  EXPECT_THAT(pcd.header.at("POINTS"), ElementsAre("0"));
  EXPECT_TRUE(pcd.body.empty());
}

TEST(Pcd, NeverReadsBehindTheRecordsThatAreThere) {
  const std::vector<Record> two(2);
  std::vector<std::byte> file;

  encode_pcd(test::kRecords, 1000, test::bytes_of_all(two).first(sizeof(Record) + 5), file);

  EXPECT_THAT(Pcd{file}.header.at("POINTS"), ElementsAre("1"));
}

}  // namespace
}  // namespace penstock
