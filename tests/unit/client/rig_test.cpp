// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#include "client/rig.hpp"

#include <gtest/gtest.h>

#include <cstdio>
#include <filesystem>
#include <fstream>

namespace penstock {
namespace {

class RigTest : public testing::Test {
 protected:
  LoadedRig load(const std::string& text) {
    std::ofstream{path} << text;
    return load_rig(path);
  }
  ~RigTest() override { std::filesystem::remove(path); }

  std::string path = testing::TempDir() + "rig_test_" +
                     testing::UnitTest::GetInstance()->current_test_info()->name() + ".yaml";
};

TEST_F(RigTest, ReadsTheExampleThatComesWithIt) {
  const LoadedRig rig = load_rig(PENSTOCK_SOURCE_DIR "/deploy/examples/rigs/demo.yaml");

  ASSERT_TRUE(rig.violations.empty()) << rig.violations[0].text();
  ASSERT_EQ(rig.sensors.size(), 3u);
  EXPECT_EQ(rig.sensors[0].type, RigSensor::Type::vlp16);
  EXPECT_EQ(rig.sensors[1].width, 3840u);
  EXPECT_EQ(rig.sensors[2].hz, 200);
}

TEST_F(RigTest, GivesEveryKeyItsDefault) {
  const LoadedRig rig = load("sensors:\n  - {name: a, type: vlp16}\n  - {name: b, type: camera}\n");

  ASSERT_TRUE(rig.violations.empty());
  EXPECT_EQ(rig.sensors[0].udp_port, 2368);
  EXPECT_EQ(rig.sensors[0].position_port, 8308);
  EXPECT_EQ(rig.sensors[1].format, StreamKind::bayer_rg8);
}

TEST_F(RigTest, SaysAllThatIsWrongAtOnce) {
  const LoadedRig rig = load(
      "sensors:\n"
      "  - {name: a, type: vlp16, hz: 50}\n"
      "  - {name: a, type: imu, samples_per_frame: 0}\n"
      "  - {name: b, type: camera, width: 65, colour: red}\n"
      "  - {name: c}\n"
      "  - {type: radar}\n");

  std::string all;
  for (const Violation& violation : rig.violations) all += violation.text() + "\n";
  for (const char* const words : {":2:", "hz", ":3:", "used twice", "samples_per_frame", ":4:",
                                  "width", "colour", ":5:", "type", ":6:", "radar", "name"}) {
    EXPECT_NE(all.find(words), std::string::npos) << words << "\n" << all;
  }
}

TEST_F(RigTest, SuggestsTheKeyThatWasMeant) {
  const LoadedRig rig = load("sensors:\n  - {name: a, type: vlp16, udp: {prot: 2368}}\n");

  ASSERT_EQ(rig.violations.size(), 1u);
  EXPECT_NE(rig.violations[0].text().find(":2:34 sensors[0].udp.prot: unknown key"),
            std::string::npos)
      << rig.violations[0].text();
  EXPECT_NE(rig.violations[0].text().find("\"port\""), std::string::npos);
}

TEST_F(RigTest, NamesAFileThatIsNotThere) {
  const LoadedRig rig = load_rig("/nowhere/rig.yaml");

  ASSERT_EQ(rig.violations.size(), 1u);
  EXPECT_NE(rig.violations[0].text().find("/nowhere/rig.yaml"), std::string::npos);
}

}  // namespace
}  // namespace penstock
