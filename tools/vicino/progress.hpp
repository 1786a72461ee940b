// progress.hpp: what a command does that takes some time, in one line of standard error, if that is a terminal.
#pragma once

#include <string>

#include "measure.hpp"

namespace vicino::cli {

// Drawn between runs, never during one: drawing takes time from what is measured.
class StatusLine {
 public:
  StatusLine();
  ~StatusLine() { wipe(); }
  StatusLine(const StatusLine&) = delete;
  StatusLine& operator=(const StatusLine&) = delete;

  void show(const std::string& text);  // in place of what is shown
  void wipe();
  bool is_shown() const noexcept { return shown_; }

 private:
  const bool shown_;
  bool has_text_ = false;
};

// ", about 20 s left", if this share of the work took so long; nothing where there is none yet.
std::string time_left(Seconds elapsed, double share);

// "[######......] pair 3, on Vicino, about 8 s left"
std::string bar_of(const Measurement& measurement, const Side& next);

}  // namespace vicino::cli
