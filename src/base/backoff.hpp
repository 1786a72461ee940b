// backoff.hpp: exponential backoff: what is tried in vain is tried again after twice as long.
#pragma once

#include <algorithm>
#include <limits>
#include <utility>

namespace vicino {

// A pause between two tries, from kFirst to kMost of a unit that the user chooses, such as nanoseconds or executions.
template <auto kFirst, decltype(kFirst) kMost>
class Backoff {
 public:
  using Pause = decltype(kFirst);
  static_assert(0 < kFirst && kFirst <= kMost && kMost <= std::numeric_limits<Pause>::max() / 2);

  Pause pause() const noexcept { return pause_; }
  void reset() noexcept { pause_ = kFirst; }
  // Makes the pause twice as long, and returns the pause as it was.
  Pause lengthen() noexcept { return std::exchange(pause_, std::min<Pause>(2 * pause_, kMost)); }
  // After a try.
  void note(bool in_vain) noexcept {
    if (in_vain)
      lengthen();
    else
      reset();
  }

 private:
  Pause pause_ = kFirst;
};

}  // namespace vicino
