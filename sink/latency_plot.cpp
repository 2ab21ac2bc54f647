// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#include "sink/latency_plot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <string_view>

namespace penstock {
namespace {

constexpr double kLeft = 90, kTop = 70, kWidth = 640, kHeight = 400;
constexpr double kRight = kLeft + kWidth, kBottom = kTop + kHeight;
constexpr double kRow = 40;  // of the legend

// Told apart by people who see fewer colours, too, and on white as on paper.
constexpr std::array<std::string_view, 7> kColours = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                                      "#56b4e9", "#e69f00", "#4d4d4d"};

// A share of frames by how rare its exceptions are: 0.5 → 0.30, 0.99 → 2, 0.9999 → 4.
double nines(double share) { return -std::log10(1 - share); }
constexpr double kFewest = 0.30102999566398120;  // nines(0.5)
constexpr double kMost = 4;

double x_of(double nines) { return kLeft + (nines - kFewest) / (kMost - kFewest) * kWidth; }

// The decades that the y axis shows.
struct Range {
  double low = 3;  // log10 of nanoseconds
  double high = 6;
  [[nodiscard]] double y_of(double ns) const {
    return kBottom - (std::log10(std::max(ns, 1.0)) - low) / (high - low) * kHeight;
  }
};

Range range_of(std::span<const LatencySeries> series) {
  double least = 1e300, most = 0;
  for (const LatencySeries& s : series) {
    if (s.histogram->count() == 0) continue;
    least = std::min(least, static_cast<double>(s.histogram->quantile(0.5)));
    most = std::max(most, static_cast<double>(s.histogram->quantile(0.9999)));
  }
  if (most <= 0) return {};
  Range range;
  range.low = std::floor(std::log10(std::max(least, 1.0)));
  range.high = std::max(std::ceil(std::log10(most)), range.low + 1);
  return range;
}

std::string duration(double ns) {
  if (ns < 1e3) return fmt::format("{:.3g} ns", ns);
  if (ns < 1e6) return fmt::format("{:.3g} µs", ns / 1e3);
  if (ns < 1e9) return fmt::format("{:.3g} ms", ns / 1e6);
  return fmt::format("{:.3g} s", ns / 1e9);
}

// Names come from the wire.
std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '&':
        out += "&amp;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        out += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
    }
  }
  return out;
}

using Out = std::back_insert_iterator<std::string>;

void line(Out out, double x1, double y1, double x2, double y2, std::string_view style) {
  fmt::format_to(out, "<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" {}/>\n", x1,
                 y1, x2, y2, style);
}

void text(Out out, double x, double y, std::string_view style, std::string_view content) {
  fmt::format_to(out, "<text x=\"{:.1f}\" y=\"{:.1f}\" {}>{}</text>\n", x, y, style,
                 escaped(content));
}

void axes(Out out, const Range& range) {
  for (double decade = range.low; decade <= range.high; ++decade) {
    for (const double step : {1.0, 2.0, 5.0}) {
      const double ns = step * std::pow(10, decade);
      if (std::log10(ns) > range.high + 1e-9) break;
      const bool major = step == 1.0;
      const double y = range.y_of(ns);
      line(out, kLeft, y, kRight, y, major ? "stroke=\"#c8ccd2\"" : "stroke=\"#eceef1\"");
      // A long axis has room for its decades only.
      if (major || range.high - range.low <= 3) {
        text(out, kLeft - 8, y + 4, "text-anchor=\"end\"", duration(ns));
      }
    }
  }
  for (const double share : {0.5, 0.9, 0.99, 0.999, 0.9999}) {
    const double x = x_of(nines(share));
    line(out, x, kTop, x, kBottom, "stroke=\"#c8ccd2\"");
    text(out, x, kBottom + 20, "text-anchor=\"middle\"", fmt::format("{:.4g} %", share * 100));
  }
  text(out, kLeft + kWidth / 2, kBottom + 44, "text-anchor=\"middle\"",
       "share of the frames that were not slower");
}

void curve(Out out, const Range& range, const Histogram& histogram, std::string_view colour) {
  // The rarest that this many frames can tell: with 100 of them, 99 %.
  const auto frames = static_cast<double>(histogram.count());
  const double last = std::clamp(std::log10(frames), kFewest, kMost);
  constexpr int kSteps = 160;
  double y = 0;
  fmt::format_to(out, "<polyline fill=\"none\" stroke=\"{}\" stroke-width=\"2\" points=\"", colour);
  for (int i = 0; i <= kSteps; ++i) {
    const double at = kFewest + (last - kFewest) * i / kSteps;
    y = range.y_of(static_cast<double>(histogram.quantile(1 - std::pow(10, -at))));
    fmt::format_to(out, "{:.1f},{:.1f} ", x_of(at), y);
  }
  fmt::format_to(out, "\"/>\n<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"3.5\" fill=\"{}\"/>\n",
                 x_of(last), y, colour);
}

void legend(Out out, double y, const LatencySeries& series, std::string_view colour) {
  constexpr double kX = kRight + 24;
  const Histogram& histogram = *series.histogram;
  line(out, kX, y - 4, kX + 22, y - 4, fmt::format("stroke=\"{}\" stroke-width=\"3\"", colour));
  text(out, kX + 30, y, "font-weight=\"bold\"", series.name);
  const auto at = [&](double share) {
    return duration(static_cast<double>(histogram.quantile(share)));
  };
  text(out, kX + 30, y + 15, "fill=\"#667\" font-size=\"11\"",
       histogram.count() == 0
           ? "no frames"
           : fmt::format("{} frames, p50 {}, p99 {}, max {}", histogram.count(), at(0.5), at(0.99),
                         duration(static_cast<double>(histogram.max()))));
}

}  // namespace

std::string latency_plot(std::span<const LatencySeries> series) {
  const Range range = range_of(series);
  const double height =
      std::max(kBottom + 70, kTop + kRow * static_cast<double>(series.size()) + 20);
  std::string svg;
  const Out out{svg};
  fmt::format_to(out,
                 "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"1160\" height=\"{0:.0f}\" "
                 "viewBox=\"0 0 1160 {0:.0f}\" font-family=\"sans-serif\" font-size=\"12\" "
                 "fill=\"#223\">\n<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n",
                 height);
  text(out, kLeft, 32, "font-size=\"18\" font-weight=\"bold\"", "Latency by stream");
  text(out, kLeft, 52, "fill=\"#667\"",
       "from the last byte of a frame in memory to its result visible to the host");
  axes(out, range);
  for (std::size_t i = 0; i < series.size(); ++i) {
    const std::string_view colour = kColours[i % kColours.size()];
    if (series[i].histogram->count() != 0) curve(out, range, *series[i].histogram, colour);
    legend(out, kTop + 10 + kRow * static_cast<double>(i), series[i], colour);
  }
  svg += "</svg>\n";
  return svg;
}

}  // namespace penstock
