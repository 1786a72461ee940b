#include "progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>

#include "say.hpp"

namespace vicino::cli {

StatusLine::StatusLine() : shown_(isatty(STDERR_FILENO) != 0) {}

void StatusLine::show(const std::string& text) {
  if (!shown_) return;
  constexpr int kMost = 79;  // a line that is broken could not be wiped
  tell(fmt::format("\r\033[K{:.{}}", text, kMost));
  has_text_ = true;
}

void StatusLine::wipe() {
  if (has_text_) tell("\r\033[K");
  has_text_ = false;
}

std::string time_left(Seconds elapsed, double share) {
  if (share <= 0) return "";
  const double left = elapsed.count() * (1 - share) / share;
  return left < 90 ? fmt::format(", about {:.0f} s left", std::max(left, 1.0))
                   : fmt::format(", about {:.0f} min left", left / 60);
}

std::string bar_of(const Measurement& measurement, const Side& next) {
  constexpr int kCells = 24;
  const int cells = std::min(kCells, static_cast<int>(measurement.progress() * kCells));
  return fmt::format("[{:#<{}}{:.<{}}] pair {}, on {}{}", "", cells, "", kCells - cells,
                     measurement.pairs() + 1, next.name,
                     time_left(measurement.elapsed(), measurement.progress()));
}

}  // namespace vicino::cli
