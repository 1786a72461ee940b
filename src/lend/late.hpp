// late.hpp: whether a region should begin with room for a core that is lent while it runs.
//
// Why    A step of many programs is one region and one wait. The rank with more work has begun its region
//        when another one's wait begins, so it would never borrow anything. A region that begins with a
//        team of one more than the rank has cores can use the core when it comes: the member joins late
//        (region/borrowed.hpp). But if no core comes, or the loop cannot be shared then, the member has
//        to run on the rank's own core all the same, which takes some 20 us.
// Rule   Each place in the program remembers whether cores were lent lately while it ran, and how long it
//        took with a late member and without one. If cores come, it begins with a late member. If kTries of
//        these executions were not faster, the next kRest run without; after the next tries in vain twice as
//        many, and so on. One execution in kRest runs without in any case, because the time that it takes may
//        change.
#pragma once

#include <algorithm>
#include <cstdint>

#include "base/backoff.hpp"

namespace vicino::lend {

class Late {
 public:
  // A shorter region gains little from a core: to join takes some 20 us.
  static constexpr uint64_t kLeastNs = 200'000;
  // Cores come if of the last executions so many more had one than had none. One alone says nothing, and
  // kMostChance forgets what is long ago.
  static constexpr int kLikely = 2, kMostChance = 4;
  // Tries in vain take 160 us, little more than a hundredth of kRest executions of kLeastNs.
  static constexpr int kTries = 8, kRest = 64, kMostRest = 4096;

  // Asked once before each execution.
  bool wants() noexcept {
    if (rest_ > 0) return --rest_, false;
    return chance_ >= kLikely && ++asked_ % kRest != 0;
  }
  // An execution without a late member has ended. `missed`: it could have used a core that was lent
  // meanwhile.
  void ran_without(uint64_t ns, bool missed) noexcept {
    average(without_ns_, ns);
    note(missed && ns >= kLeastNs);
  }
  // One with a late member, which has `joined` on a core that was lent, or not.
  void ran_with(uint64_t ns, bool joined) noexcept {
    note(joined);
    if (++tries_ <= kUnsettled) return;  // its thread starts, its data come to its core
    average(with_ns_, ns);
    if (tries_ < kTries) return;
    tries_ = kUnsettled;
    // A thirty-second less is within what is measured by chance.
    if (with_ns_ < without_ns_ - without_ns_ / 32) return next_rest_.reset();
    rest_ = next_rest_.lengthen();
    tries_ = 0;
    with_ns_ = 0;
  }

 private:
  static constexpr int kUnsettled = 2;  // tries that are not counted

  static void average(uint64_t& mean, uint64_t ns) noexcept {
    // One execution that was disturbed says little.
    mean = mean == 0 ? ns : (7 * mean + std::min(ns, 4 * mean)) / 8;
  }
  void note(bool came) noexcept { chance_ = std::clamp(chance_ + (came ? 1 : -1), 0, kMostChance); }

  int chance_ = 0;
  int rest_ = 0;
  Backoff<kRest, kMostRest> next_rest_;
  uint32_t asked_ = 0;
  int tries_ = 0;
  uint64_t without_ns_ = 0, with_ns_ = 0;
};

}  // namespace vicino::lend
