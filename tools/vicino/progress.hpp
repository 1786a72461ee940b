// progress.hpp: a bar on standard error, if that is a terminal.
#pragma once

#include "measure.hpp"

namespace vicino::cli {

// Drawn between runs, never during one: drawing takes time from what is measured.
class ProgressBar {
 public:
  ProgressBar();
  ~ProgressBar();  // wipes it
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  void draw(const Measurement& measurement, const Side& next) const;

 private:
  bool shown_;
};

}  // namespace vicino::cli
