// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "buffer/delivered_frame.hpp"
#include "sink/rgb_image.hpp"
#include "sink/whole_file.hpp"

#include <tl/expected.hpp>

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace penstock {

// The folder of one opening of a stream.
struct StreamFolder {
  std::string path;                 // empty until the first frame
  std::uint64_t next_sequence = 0;  // one more than the highest that was written
};

// Where the files of a frame go, and what is in them:
//
//   FOLDER/STREAM/SEQUENCE.raw   the payload as it was received
//   FOLDER/STREAM/SEQUENCE.pcd   the points of a point cloud
//   FOLDER/STREAM/SEQUENCE.png   an image
//
// Nothing is ever overwritten. A sender that comes back begins to count anew; its frames go into
// STREAM.2, STREAM.3 and so on, as they do when an earlier run of the server has left files in
// STREAM. A sequence number that comes twice within one opening gets SEQUENCE-2.
//
// Thread: one.
class FrameFiles {
 public:
  explicit FrameFiles(std::string folder) : folder_{std::move(folder)} {}

  [[nodiscard]] tl::expected<void, FileFailure> write(const std::string& name, StreamFolder& stream,
                                                      const DeliveredFrame& delivered);

 private:
  [[nodiscard]] tl::expected<std::string, FileFailure> make_folder(const std::string& name);
  [[nodiscard]] tl::expected<void, FileFailure> write_result(const std::string& stem,
                                                             const FrameRef& result);

  const std::string folder_;
  std::map<std::string, unsigned> openings_;  // by stream name: how many folders it has
  std::set<std::string> made_;                // folders of this run

  std::vector<std::byte> file_;  // kept from frame to frame, like the picture, for their memory
  RgbImage image_;
};

}  // namespace penstock
