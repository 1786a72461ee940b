// outside.hpp: what a choice of one site costs the rest of the program.
//
// Why    On several nodes a schedule that is fast for one loop may leave the data in the caches and
//        memories of other nodes, where the next loop, which is static, does not want them. The
//        loop's own time does not show that. So a tuner is also told what passed from the end of an
//        execution to the beginning of the site's next one.
// Excess the time outside, as far as it is longer than the default's samples, and by more than these
//        differ. Where the rest of the program does not always take the same time, nothing counts but
//        the site's own time.
// Not    a gain: if the rest of the program gets faster, the choice is not credited with it.
#pragma once

#include <algorithm>

#include "tune/choice.hpp"
#include "tune/estimate.hpp"

namespace vicino::tune {

class Outside {
 public:
  // An execution of the default, after another one of it.
  void learn_default(double ns) noexcept { of_default_.add(ns); }
  // Of an execution of something else.
  double excess(double ns) const noexcept {
    if (of_default_.count() < TunerConstants::kLooks) return 0;
    const auto [low, high] = of_default_.interval();
    return std::max(ns - high - (high - low), 0.0);
  }

 private:
  Estimate of_default_;
};

}  // namespace vicino::tune
