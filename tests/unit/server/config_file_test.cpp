// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#include "server/config_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace penstock {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::vector<std::string> texts(const LoadedConfig& loaded) {
  std::vector<std::string> lines;
  for (const Violation& violation : loaded.violations) lines.push_back(violation.text());
  return lines;
}

std::vector<std::string> violations(const std::string& text) {
  return texts(parse_config("rig.yaml", text));
}

// One stream of `keys` beside a listener, so that nothing else is wrong.
std::vector<std::string> stream_violations(const std::string& keys) {
  return violations("listen: {tcp: 0.0.0.0:7470}\nstreams: [{" + keys + "}]\n");
}

TEST(ConfigFile, TheLeastConfigurationOfTheManualIsRead) {
  const LoadedConfig loaded =
      parse_config("rig.yaml",
                   "device: host                     # host | cuda | cuda:N | auto\n"
                   "memory: {pinned_limit: 256MiB}   # optional\n"
                   "listen: {tcp: 0.0.0.0:7470}      # optional: the native protocol\n"
                   "streams:\n"
                   "  - {name: lidar_top, format: velodyne_vlp16, udp: {port: 2368}}\n");

  ASSERT_THAT(texts(loaded), IsEmpty());
  const Config& config = loaded.config;
  EXPECT_EQ(config.device.kind, DeviceChoice::Kind::host);
  EXPECT_TRUE(config.device.allow_mapped);
  EXPECT_EQ(config.memory.pinned_limit, 256u << 20);
  EXPECT_TRUE(config.memory.lock);
  ASSERT_TRUE(config.listen);
  EXPECT_EQ(config.listen->address, "0.0.0.0");
  EXPECT_EQ(config.listen->port, 7470);
  EXPECT_FALSE(config.listen->declared_only);
  EXPECT_FALSE(config.listen->memory);
  ASSERT_EQ(config.streams.size(), 1u);
  const StreamConfig& stream = config.streams[0];
  EXPECT_EQ(stream.name, "lidar_top");
  EXPECT_EQ(stream.format, StreamKind::velodyne_vlp16);
  ASSERT_TRUE(stream.udp);
  EXPECT_EQ(stream.udp->address, "0.0.0.0");
  EXPECT_EQ(stream.udp->port, 2368);
  EXPECT_EQ(stream.udp->position_port, 8308);
  EXPECT_EQ(stream.slots, 0u);
  EXPECT_TRUE(stream.deliver_partial);
  EXPECT_FALSE(stream.checksum);
}

TEST(ConfigFile, EveryKeyIsRead) {
  const LoadedConfig loaded =
      parse_config("rig.yaml",
                   "device: cuda:3\ndelivery: copied\nmemory: {pinned_limit: 1GiB, lock: false}\n"
                   "listen: {tcp: \"[::]:0\", streams: declared, memory: 64MiB}\n"
                   "streams:\n"
                   "- {name: a, format: velodyne_vlp16, slots: 4, partial: drop, checksum: true,\n"
                   "   udp: {address: \"::1\", port: 1, position_port: 0}}\n"
                   "- {name: b, format: uyvy, width: 3840, height: 2160}\n");

  ASSERT_THAT(texts(loaded), IsEmpty());
  const Config& config = loaded.config;
  EXPECT_EQ(config.device.kind, DeviceChoice::Kind::cuda);
  EXPECT_EQ(config.device.index, 3);
  EXPECT_FALSE(config.device.allow_mapped);
  EXPECT_FALSE(config.memory.lock);
  EXPECT_EQ(config.listen->address, "::");
  EXPECT_EQ(config.listen->port, 0);
  EXPECT_TRUE(config.listen->declared_only);
  EXPECT_EQ(config.listen->memory, 64u << 20);
  EXPECT_EQ(config.streams[0].slots, 4u);
  EXPECT_FALSE(config.streams[0].deliver_partial);
  EXPECT_TRUE(config.streams[0].checksum);
  EXPECT_EQ(config.streams[0].udp->address, "::1");
  EXPECT_EQ(config.streams[0].udp->position_port, 0);
  EXPECT_EQ(config.streams[1].format, StreamKind::uyvy);
  EXPECT_EQ(config.streams[1].width, 3840u);
  EXPECT_EQ(config.streams[1].height, 2160u);
}

TEST(ConfigFile, EveryViolationOfAFileIsNamedAtOnceWithItsPlace) {
  EXPECT_THAT(
      violations("device: cuba\n"
                 "memory: {pinned_limit: plenty, lck: true}\n"
                 "listen: {tcp: 7470}\n"
                 "streams:\n"
                 "  - {name: top lidar, format: velodyne_vlp16, udp: {port: 70000}}\n"
                 "  - {format: velodyne_hdl, udp: {prot: 2368}}\n"
                 "sterams: []\n"),
      ElementsAre(
          "rig.yaml:1:9 device: is \"cuba\" (did you mean \"cuda\"?), allowed are host, cuda, "
          "cuda:N, auto",
          "rig.yaml:2:24 memory.pinned_limit: is \"plenty\", allowed are whole numbers with or "
          "without a unit (B, KiB, MiB, GiB, TiB, kB, MB, GB, TB)",
          "rig.yaml:2:32 memory.lck: unknown key (did you mean \"lock\"?), allowed are "
          "pinned_limit, lock",
          "rig.yaml:3:15 listen.tcp: is \"7470\", allowed are ADDRESS:PORT (0.0.0.0:7470) and "
          "\"[ADDRESS]:PORT\" (\"[::]:7470\"), ports 0 to 65535",
          "rig.yaml:5:12 streams[0].name: is no legal name, allowed are 1 to 64 of a-z A-Z 0-9 _ - "
          ". (not \".\" or \"..\")",
          "rig.yaml:5:59 streams[0].udp.port: is 70000, allowed is 1 to 65535",
          "rig.yaml:6:5 streams[1].name: is missing, every stream needs one",
          "rig.yaml:6:14 streams[1].format: is \"velodyne_hdl\" (did you mean "
          "\"velodyne_vlp16\"?), allowed are raw, imu, "
          "velodyne_vlp16, bayer_rg8, bayer_gr8, bayer_gb8, bayer_bg8, uyvy",
          "rig.yaml:6:33 streams[1].udp.port: is missing, allowed is 1 to 65535",
          "rig.yaml:6:33 streams[1].udp.position_port: is 8308, where \"top lidar\" receives "
          "(0.0.0.0), allowed is another port or 0",
          "rig.yaml:6:34 streams[1].udp.prot: unknown key (did you mean \"port\"?), allowed are "
          "address, port, position_port",
          "rig.yaml:7:1 sterams: unknown key (did you mean \"streams\"?), allowed are device, "
          "delivery, memory, listen, streams"));
}

TEST(ConfigFile, DevicesAreHostCudaAutoAndNothingElse) {
  const auto device = [](const std::string& text) {
    return parse_config("rig.yaml", "listen: {tcp: 0.0.0.0:1}\ndevice: " + text + "\n");
  };

  EXPECT_EQ(device("auto").config.device.kind, DeviceChoice::Kind::automatic);
  EXPECT_EQ(device("cuda").config.device.index, 0);
  EXPECT_EQ(device("cuda:7").config.device.index, 7);
  for (const char* wrong : {"'cuda:'", "cuda:-1", "cuda:x", "cuda0", "cuda:1024", "gpu", "''"}) {
    EXPECT_THAT(texts(device(wrong)), ElementsAre(HasSubstr("2:9 device: is"))) << wrong;
  }
}

TEST(ConfigFile, ListenAddressesAreIpAddressesWithAPort) {
  const auto tcp = [](const std::string& text) {
    return violations("listen: {tcp: \"" + text + "\"}\n");
  };

  for (const char* good : {"127.0.0.1:1", "[::1]:65535", "0.0.0.0:0", "[::ffff:1.2.3.4]:7"}) {
    EXPECT_THAT(tcp(good), IsEmpty()) << good;
  }
  for (const char* wrong : {"", ":", "0.0.0.0", "0.0.0.0:", "0.0.0.0:65536", "::1:7470", "[]:1",
                            "[::]7470", "localhost:7470", "1.2.3:80", "0.0.0.0:7470 "}) {
    EXPECT_THAT(tcp(wrong), ElementsAre(HasSubstr("1:15 listen.tcp: "))) << wrong;
  }
}

TEST(ConfigFile, AFileThatAsksForNothingIsAViolation) {
  EXPECT_THAT(violations("device: host\n"),
              ElementsAre("rig.yaml:1:1: has nothing to receive, allowed is a listen entry, at "
                          "least one of streams, or both"));
  EXPECT_THAT(violations("streams: []\n"), ElementsAre(HasSubstr("nothing to receive")));
}

TEST(ConfigFile, WhatCannotBeReadIsNotJudgedAgain) {
  EXPECT_THAT(violations("listen: 0.0.0.0:7470\n"),
              ElementsAre("rig.yaml:1:9 listen: is no mapping, expected is {key: value}"));
  EXPECT_THAT(violations("streams: [lidar]\n"),
              ElementsAre("rig.yaml:1:11 streams[0]: is no mapping, expected is {key: value}"));
  EXPECT_THAT(stream_violations("name: a, format: bayer, width: 2, height: 2"),
              ElementsAre(HasSubstr("streams[0].format: is \"bayer\"")));
  EXPECT_THAT(stream_violations("name: a, format: uyvy, width: 2.5, height: 2"),
              ElementsAre(HasSubstr("streams[0].width: is \"2.5\"")));
  EXPECT_THAT(violations("streams: [{name: a, format: velodyne_vlp16, udp: 2368}]\n"),
              ElementsAre(HasSubstr("streams[0].udp: is no mapping")));
}

TEST(ConfigFile, NamesAreUniqueAndNoPaths) {
  EXPECT_THAT(
      violations("listen: {tcp: 0.0.0.0:1}\nstreams:\n- {name: a, format: raw}\n"
                 "- {name: b, format: raw}\n- {name: a, format: imu}\n"),
      ElementsAre("rig.yaml:5:10 streams[2].name: is \"a\", which is the name of streams[0] "
                  "already, each name is allowed once"));
  for (const std::string& wrong :
       {std::string{"''"}, std::string{".."}, std::string{"."}, std::string{"a/b"},
        std::string(65, 'a'), std::string{"\"a\\n\""}, std::string{"\xc3\xa9"}}) {
    EXPECT_THAT(stream_violations("format: raw, name: " + wrong),
                ElementsAre(HasSubstr("streams[0].name: is no legal name")))
        << wrong;
  }
  EXPECT_THAT(stream_violations("format: raw, name: " + std::string(64, 'a')), IsEmpty());
}

TEST(ConfigFile, ImagesNeedASizeThatTheirFormatCanHave) {
  EXPECT_THAT(
      stream_violations("name: a, format: uyvy"),
      ElementsAre("rig.yaml:2:11 streams[0].width: is missing, a uyvy image needs 1 to 16384",
                  "rig.yaml:2:11 streams[0].height: is missing, a uyvy image needs 1 to "
                  "16384"));
  EXPECT_THAT(stream_violations("name: a, format: uyvy, width: 3, height: 1"),
              ElementsAre(HasSubstr("streams[0].width: is 3, two uyvy pixels share their colour: "
                                    "allowed are even widths")));
  EXPECT_THAT(stream_violations("name: a, format: bayer_rg8, width: 2, height: 1"),
              ElementsAre(HasSubstr("streams[0].height: is 1, a Bayer mosaic needs 2 to 16384")));
  EXPECT_THAT(stream_violations("name: a, format: bayer_rg8, width: 16385, height: 0"),
              ElementsAre(HasSubstr("width: is 16385, allowed is 1 to 16384"),
                          HasSubstr("height: is 0, allowed is 1 to 16384")));
  EXPECT_THAT(stream_violations("name: a, format: imu, width: 2"),
              ElementsAre(HasSubstr("streams[0].width: imu is no image")));
  EXPECT_THAT(stream_violations("name: a, format: bayer_bg8, width: 2, height: 3"), IsEmpty());
}

TEST(ConfigFile, AStreamHasAWayIn) {
  EXPECT_THAT(violations("streams: [{name: a, format: raw}]\n"),
              ElementsAre("rig.yaml:1:11 streams[0].udp: is missing, and there is no listen entry "
                          "through which a client could send a: one of them is needed"));
  EXPECT_THAT(stream_violations("name: a, format: imu, udp: {port: 1}"),
              ElementsAre(HasSubstr("streams[0].udp: is given, and imu does not travel by UDP: "
                                    "allowed is velodyne_vlp16")));
  EXPECT_THAT(
      stream_violations("name: a, format: velodyne_vlp16, udp: {port: 1, address: eth0}"),
      ElementsAre(HasSubstr("streams[0].udp.address: names \"eth0\", which is no IP address")));
  EXPECT_THAT(stream_violations("name: a, format: velodyne_vlp16"), IsEmpty());
}

TEST(ConfigFile, TwoSensorsOnOnePortAreAViolation) {
  const auto pair = [](const std::string& first, const std::string& second) {
    return violations("streams:\n- {name: a, format: velodyne_vlp16, udp: {" + first +
                      "}}\n- {name: b, format: velodyne_vlp16, udp: {" + second + "}}\n");
  };

  EXPECT_THAT(
      pair("port: 5, position_port: 0", "port: 5, position_port: 0"),
      ElementsAre("rig.yaml:3:49 streams[1].udp.port: is 5, where \"a\" receives (0.0.0.0), "
                  "allowed is another port"));
  EXPECT_THAT(pair("port: 5", "port: 6"),
              ElementsAre(HasSubstr("streams[1].udp.position_port: is 8308, where \"a\" receives "
                                    "(0.0.0.0), allowed is another port or 0")));
  EXPECT_THAT(
      pair("port: 5, position_port: 5", "port: 6"),
      ElementsAre(HasSubstr("streams[0].udp.position_port: is 5, where its own data packets "
                            "arrive (0.0.0.0), allowed is another port or 0")));
  EXPECT_THAT(
      pair("address: 127.0.0.1, port: 5", "port: 5, position_port: 0"),
      ElementsAre(HasSubstr("streams[1].udp.port: is 5, where \"a\" receives (127.0.0.1)")));
  EXPECT_THAT(pair("address: 127.0.0.1, port: 5", "address: 127.0.0.2, port: 5"), IsEmpty());
}

TEST(ConfigFile, BoundsOfSlotsMemoryAndStreams) {
  std::string many = "listen: {tcp: 0.0.0.0:1}\nstreams:\n";
  for (int i = 0; i < 4097; ++i) many += "- {name: s" + std::to_string(i) + ", format: raw}\n";

  EXPECT_THAT(
      stream_violations("name: a, format: raw, slots: 1"),
      ElementsAre(HasSubstr("slots: is 1, allowed are 0 (the server chooses) and 2 to 4096")));
  EXPECT_THAT(violations("memory: {pinned_limit: 4095}\nlisten: {tcp: 0.0.0.0:1, memory: 0}\n"),
              ElementsAre(HasSubstr("1:24 memory.pinned_limit: is less than one page"),
                          HasSubstr("2:34 listen.memory: is less than one page")));
  EXPECT_THAT(violations("memory: {pinned_limit: 1MiB}\nlisten: {tcp: 0.0.0.0:1, memory: 2MiB}\n"),
              ElementsAre(HasSubstr("listen.memory: is 2097152 bytes, allowed is at most "
                                    "memory.pinned_limit, 1048576")));
  EXPECT_THAT(violations(many),
              ElementsAre("rig.yaml:3:1 streams: has 4097 entries, at most 4096 are allowed"));
  EXPECT_THAT(violations("delivery: copied\nlisten: {tcp: 0.0.0.0:1}\n"),
              ElementsAre(HasSubstr("1:11 delivery: is copied, and the host device reads frames in "
                                    "place: allowed is auto")));
}

TEST(ConfigFile, AMissingFileIsOneViolation) {
  EXPECT_THAT(texts(load_config("/nonexistent/rig.yaml")),
              ElementsAre("/nonexistent/rig.yaml: cannot be read: No such file or directory"));
}

TEST(ConfigFile, EveryExampleConfigurationIsValid) {
  std::vector<std::string> names;
  for (const auto& entry :
       std::filesystem::directory_iterator{PENSTOCK_SOURCE_DIR "/deploy/examples"}) {
    if (entry.path().extension() != ".yaml") continue;
    names.push_back(entry.path().filename());
    EXPECT_THAT(texts(load_config(entry.path())), IsEmpty());
  }
  EXPECT_THAT(names, Contains("least.yaml"));
  EXPECT_THAT(names, Contains("demo.yaml"));
}

}  // namespace
}  // namespace penstock
