// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#include "server/config_rules.hpp"

#include "buffer/mapping.hpp"

#include <asio/ip/address.hpp>

#include <algorithm>
#include <map>
#include <string_view>
#include <system_error>
#include <utility>

namespace penstock {
namespace {

constexpr std::size_t kMaxNameLength = 64;

bool legal_name(std::string_view name) {
  const auto legal = [](char letter) {
    return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') ||
           (letter >= '0' && letter <= '9') || letter == '_' || letter == '-' || letter == '.';
  };
  // "." and ".." would name other directories than one of the stream's own.
  return !name.empty() && name.size() <= kMaxNameLength && name != "." && name != ".." &&
         std::all_of(name.begin(), name.end(), legal);
}

bool is_image(StreamKind kind) { return image_bytes(kind, 1, 1) != 0; }

// A local UDP port that somebody receives on.
struct PortUse {
  asio::ip::address address;
  std::string stream;
};

class Rules {
 public:
  explicit Rules(const Config& config) : config_{config} {}

  std::vector<ConfigProblem> judge() {
    whole_file();
    memory();
    if (config_.streams.size() > kMaxStreams) return std::move(found_);
    for (std::size_t i = 0; i < config_.streams.size(); ++i) {
      const StreamConfig& stream = config_.streams[i];
      prefix_ = "streams[" + std::to_string(i) + "].";
      name(stream);
      image(stream);
      transport(stream);
      if (stream.slots == 1) {
        add("slots", "is 1, allowed are 0 (the server chooses) and 2 to 4096");
      }
    }
    return std::move(found_);
  }

 private:
  void add(std::string_view key, std::string problem, std::string_view judged_by = {}) {
    found_.push_back({prefix_ + std::string{key}, std::move(problem),
                      judged_by.empty() ? std::string{} : prefix_ + std::string{judged_by}});
  }

  void whole_file() {
    if (config_.streams.empty() && !config_.listen) {
      add("", "has nothing to receive, allowed is a listen entry, at least one of streams, or both",
          "streams");
    }
    if (config_.streams.size() > kMaxStreams) {
      add("streams",
          "has " + std::to_string(config_.streams.size()) + " entries, at most 4096 are allowed");
    }
    if (config_.device.kind == DeviceChoice::Kind::host && !config_.device.allow_mapped) {
      add("delivery", "is copied, and the host device reads frames in place: allowed is auto",
          "device");
    }
    if (config_.listen && !is_address(config_.listen->address)) {
      add("listen.tcp", no_address(config_.listen->address));
    }
  }

  void memory() {
    const auto& limit = config_.memory.pinned_limit;
    if (limit && *limit < kPageBytes) {
      add("memory.pinned_limit", "is less than one page, allowed is 4KiB or more");
    }
    if (!config_.listen || !config_.listen->memory) return;
    if (*config_.listen->memory < kPageBytes) {
      add("listen.memory", "is less than one page, allowed is 4KiB or more");
    }
    if (limit && *config_.listen->memory > *limit) {
      add("listen.memory",
          "is " + std::to_string(*config_.listen->memory) +
              " bytes, allowed is at most memory.pinned_limit, " + std::to_string(*limit),
          "memory.pinned_limit");
    }
  }

  void name(const StreamConfig& stream) {
    if (!legal_name(stream.name)) {
      add("name",
          "is no legal name, allowed are 1 to 64 of a-z A-Z 0-9 _ - . (not \".\" or \"..\")");
      return;
    }
    const auto [first, fresh] = names_.emplace(stream.name, prefix_);
    if (fresh) return;
    add("name", "is \"" + stream.name + "\", which is the name of " +
                    first->second.substr(0, first->second.size() - 1) +
                    " already, each name is allowed once");
  }

  void image(const StreamConfig& stream) {
    const std::string format{penstock::name(stream.format)};
    const auto side = [&](std::string_view key, std::uint32_t pixels) {
      if (!is_image(stream.format)) {
        if (pixels != 0) add(key, format + " is no image, the key is allowed for images", "format");
      } else if (pixels == 0) {
        add(key, "is missing, a " + format + " image needs 1 to 16384", "format");
      } else if (stream.format != StreamKind::uyvy && pixels < 2) {
        add(key, "is 1, a Bayer mosaic needs 2 to 16384", "format");
      }
    };
    side("width", stream.width);
    side("height", stream.height);
    if (stream.format == StreamKind::uyvy && stream.width % 2 != 0) {
      add("width",
          "is " + std::to_string(stream.width) +
              ", two uyvy pixels share their colour: allowed are even widths",
          "format");
    }
  }

  void transport(const StreamConfig& stream) {
    if (!stream.udp) {
      if (!config_.listen) {
        add("udp",
            "is missing, and there is no listen entry through which a client could send " +
                stream.name + ": one of them is needed",
            "name");
      }
      return;
    }
    if (stream.format != StreamKind::velodyne_vlp16) {
      add("udp",
          "is given, and " + std::string{penstock::name(stream.format)} +
              " does not travel by UDP: allowed is velodyne_vlp16",
          "format");
    }
    const UdpConfig& udp = *stream.udp;
    if (!is_address(udp.address)) {
      add("udp.address", no_address(udp.address));
      return;
    }
    const asio::ip::address address = asio::ip::make_address(udp.address);
    port("udp.port", address, udp.port, stream.name);
    port("udp.position_port", address, udp.position_port, stream.name);
  }

  // Two sensors on one port could not be told apart.
  void port(std::string_view key, const asio::ip::address& address, std::uint16_t number,
            const std::string& stream) {
    if (number == 0) return;  // not received, or missing and noted by the loader
    std::vector<PortUse>& uses = ports_[number];
    const auto other = std::find_if(uses.begin(), uses.end(), [&](const PortUse& use) {
      return overlap(use.address, address);
    });
    if (other == uses.end()) {
      uses.push_back({address, stream});
      return;
    }
    const bool own = other->stream == stream;
    add(key, "is " + std::to_string(number) + ", where " +
                 (own ? std::string{"its own data packets arrive"}
                      : "\"" + other->stream + "\" receives") +
                 " (" + other->address.to_string() + "), allowed is another port" +
                 (key == "udp.port" ? "" : " or 0"));
  }

  static bool is_address(const std::string& text) {
    std::error_code error;
    (void)asio::ip::make_address(text, error);
    return !error;
  }

  static std::string no_address(const std::string& text) {
    return "names \"" + text +
           "\", which is no IP address, allowed are addresses such as 0.0.0.0, 127.0.0.1 and ::1";
  }

  // Whether a packet to one could arrive at the other. An unspecified address takes them all.
  static bool overlap(const asio::ip::address& a, const asio::ip::address& b) {
    return a == b || a.is_unspecified() || b.is_unspecified();
  }

  const Config& config_;
  std::string prefix_;
  std::vector<ConfigProblem> found_;
  std::map<std::string, std::string> names_;  // name → prefix of its first owner
  std::map<std::uint16_t, std::vector<PortUse>> ports_;
};

}  // namespace

std::vector<ConfigProblem> validate(const Config& config) { return Rules{config}.judge(); }

}  // namespace penstock
