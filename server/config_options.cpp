// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#include "server/config_options.hpp"

#include <array>

namespace penstock {
namespace {

constexpr std::array kOptions{
    ConfigOption{"device", "text", "host", "host, cuda, cuda:N, auto",
                 "Where frames are decoded: the processor, the first or the N-th CUDA GPU, or the "
                 "first GPU that works and else the processor."},
    ConfigOption{"delivery", "choice", "auto", "auto, copied",
                 "How frames reach the GPU. auto: read in place where the GPU can; copied: always "
                 "by an asynchronous copy."},
    ConfigOption{"memory", "mapping", "", "", "Pinned memory. All of it is taken at start."},
    ConfigOption{"memory.pinned_limit", "size",
                 "a quarter of RAM, or RLIMIT_MEMLOCK where that binds and is smaller",
                 "4KiB or more", "The most pinned memory that the server takes."},
    ConfigOption{"memory.lock", "true/false", "true", "true, false",
                 "Lock the pages of the host device in RAM. false: they may be swapped out, and "
                 "RLIMIT_MEMLOCK does not bind."},
    ConfigOption{"listen", "mapping", "absent: no native clients", "",
                 "Where clients of the native protocol connect."},
    ConfigOption{
        "listen.tcp", "text", "required", "ADDRESS:PORT, [ADDRESS]:PORT",
        "Local IP address and TCP port; \"[::]:7470\" takes IPv4 clients too, port 0 is any "
        "free one."},
    ConfigOption{"listen.streams", "choice", "any", "any, declared",
                 "Which streams clients may open: any, or only those in streams."},
    ConfigOption{"listen.memory", "size", "what the declared streams leave, at most 512 MiB",
                 "4KiB or more",
                 "Pinned memory set aside for streams that clients open without an entry in "
                 "streams."},
    ConfigOption{"streams", "list", "empty", "at most 4096 entries",
                 "The declared streams. Needed for sensors that send by UDP."},
    ConfigOption{"streams[].name", "text", "required", "1 to 64 of a-z A-Z 0-9 _ - .",
                 "Its name in the summary, in files and for clients; each only once."},
    ConfigOption{"streams[].format", "choice", "required",
                 "raw, imu, velodyne_vlp16, bayer_rg8, bayer_gr8, bayer_gb8, bayer_bg8, uyvy",
                 "What its frames hold."},
    ConfigOption{"streams[].udp", "mapping", "absent: a native client sends it", "",
                 "The sensor sends by UDP (velodyne_vlp16)."},
    ConfigOption{"streams[].udp.address", "text", "0.0.0.0", "an IPv4 or IPv6 address",
                 "Local address to receive on."},
    ConfigOption{"streams[].udp.port", "number", "required", "1 to 65535",
                 "Local port of the data packets; 2368 as the sensor leaves the factory."},
    ConfigOption{"streams[].udp.position_port", "number", "8308", "0 to 65535",
                 "Local port of the sensor's position packets; 0: they are not received."},
    ConfigOption{"streams[].width", "number", "required for images", "1 to 16384",
                 "Pixels. Even for uyvy, 2 or more for bayer."},
    ConfigOption{"streams[].height", "number", "required for images", "1 to 16384",
                 "Pixels. 2 or more for bayer."},
    ConfigOption{"streams[].slots", "number", "0", "0, 2 to 4096",
                 "Frames that the stream can hold at a time; 0: the server chooses."},
    ConfigOption{"streams[].partial", "choice", "deliver", "deliver, drop",
                 "What becomes of a frame of which a part never came: delivered and marked as "
                 "partial, or dropped and counted."},
    ConfigOption{"streams[].checksum", "true/false", "false", "true, false",
                 "Sum every payload on the device as well."},
};

}  // namespace

std::span<const ConfigOption> config_options() noexcept { return kOptions; }

std::string config_help() {
  std::string help =
      "The configuration is one YAML file. Sizes are written 4096, 64KiB, 256MiB, 2GiB, 1MB.\n"
      "Unknown keys are errors. `penstock check -c FILE` names every violation at once.\n";
  const auto line = [&help](std::string_view what, std::string_view value) {
    if (!value.empty()) help.append("    ").append(what).append(value).append("\n");
  };
  for (const ConfigOption& option : kOptions) {
    help.append("\n").append(option.key).append(" (").append(option.type).append(")\n");
    line("", option.text);
    line("default: ", option.preset);
    line("allowed: ", option.allowed);
  }
  return help;
}

}  // namespace penstock
