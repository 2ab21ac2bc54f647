// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#include "base/log.hpp"

#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>

#include <memory>
#include <string>
#include <utility>

namespace penstock {

void set_up_logging(std::string_view level) {
  auto logger = std::make_shared<spdlog::logger>("penstock",
                                                 std::make_shared<spdlog::sinks::stderr_sink_mt>());
  logger->set_pattern("%Y-%m-%dT%H:%M:%S.%e%z %-8l %v");
  logger->set_level(spdlog::level::from_str(std::string{level}));
  spdlog::set_default_logger(std::move(logger));
}

void log_leak(std::string_view what, std::error_code error) noexcept {
  spdlog::warn("destroy failed object=\"{}\" error=\"{}\"", what, error.message());
}

}  // namespace penstock
