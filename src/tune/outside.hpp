// outside.hpp: what a choice of one site costs the rest of the program.
//
// Why    On several nodes a schedule that is fast for one loop may leave the data in the caches and
//        memories of other nodes, where the next loop, which is static, does not want them. The
//        loop's own time does not show that. So a tuner is also told what passed from the end of an
//        execution to the beginning of the site's next one.
// Excess the time outside, as far as it is longer than the default's samples, and by more than these
//        differ. Where the rest of the program does not always take the same time, nothing counts but
//        the site's own time.
// Once   is never enough: an interrupt or another program may have disturbed the rest, and one such
//        sample would drop a choice, and be charged as if the choice had cost it. So the excess of a
//        choice is the least of its samples, and nothing is said of a choice by its first sample, if
//        that stands out; what that has cost is charged with the second one.
// Not    a gain: if the rest of the program gets faster, the choice is not credited with it.
#pragma once

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "tune/choice.hpp"
#include "tune/estimate.hpp"

namespace vicino::tune {

class Outside {
 public:
  // An execution of the default, after another one of it.
  void learn_default(double ns) noexcept { of_default_.add(ns); }
  // Of an execution of something else. No value: the choice has to be looked at again.
  std::optional<double> excess(Choice choice, double ns) {
    if (of_default_.count() < TunerConstants::kLooks)
      return 0;  // too little is known to remember it
    const double more = excess_of(ns);
    const auto seen = std::ranges::find(seen_, choice, &Seen::choice);
    if (seen != seen_.end()) return seen->least = std::min(seen->least, more);
    seen_.push_back({choice, more, more > 0});
    return more > 0 ? std::nullopt : std::optional(0.0);
  }
  // The excess of a first sample of which excess() said nothing, once another one has told how much
  // of it was the choice's. Later 0.
  double take_held_back(Choice choice) {
    const auto seen = std::ranges::find(seen_, choice, &Seen::choice);
    return seen != seen_.end() && std::exchange(seen->held_back, false) ? seen->least : 0;
  }

 private:
  struct Seen {
    Choice choice;
    double least;
    bool held_back;  // the first sample is not charged yet
  };

  double excess_of(double ns) const noexcept {
    const auto [low, high] = of_default_.interval();
    return std::max(ns - high - (high - low), 0.0);
  }

  Estimate of_default_;
  std::vector<Seen> seen_;
};

}  // namespace vicino::tune
