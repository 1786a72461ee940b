#include "progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>

namespace vicino::cli {
namespace {

constexpr int kCells = 24;

std::string remaining(const Measurement& measurement) {
  const double part = measurement.progress();
  if (part <= 0) return "";
  const double left = measurement.elapsed().count() * (1 - part) / part;
  return left < 90 ? fmt::format(", about {:.0f} s left", std::max(left, 1.0))
                   : fmt::format(", about {:.0f} min left", left / 60);
}

}  // namespace

ProgressBar::ProgressBar() : shown_(isatty(STDERR_FILENO) != 0) {}

ProgressBar::~ProgressBar() {
  if (shown_) fmt::print(stderr, "\r\033[K");
}

void ProgressBar::draw(const Measurement& measurement, const Side& next) const {
  if (!shown_) return;
  const int cells = std::min(kCells, static_cast<int>(measurement.progress() * kCells));
  fmt::print(stderr, "\r\033[K[{:#<{}}{:.<{}}] pair {}, on {}{}", "", cells, "", kCells - cells,
             measurement.pairs() + 1, next.name, remaining(measurement));
  std::fflush(stderr);
}

}  // namespace vicino::cli
