// patience.hpp: how long a thread polls before it sleeps, learned per place in the program.
//
// Why    Polling is the fastest way to notice a wake-up and the most expensive way to wait for one
//        that is far off. How far off it is depends on the place in the program and changes little
//        from one visit to the next, so each place remembers.
// Rule   If polling for at most `most` would have seen the end of a wait, polling is worth it the
//        next time: the budget becomes twice the length of the wait. After a longer wait the budget
//        halves, down to `least`, which costs less than going to sleep does. So a program that
//        forks every few microseconds never sleeps, and a program that rests stops polling within
//        two regions.
//        If polling turned out to keep another thread of Vicino from this core, the next wait
//        sleeps at once: the kernel looks for an idle core when it wakes a thread, and only then.
//        Otherwise two threads of a team that have come to share a core, with another core idle,
//        would stay there, each handing the core to the other, as long as they wait for each other
//        often enough.
//        So do the next waits where polling kept threads of others from this core, which only waits between
//        regions find out: a thread that a loop of another runtime wakes meanwhile finds no idle core.
//        And so do the next waits after some in a row in which the core was lost. Beside equals a short wait is best polled,
//        side by side with the awaited thread; in a long one, such as after a serial phase of 0.3 ms, the poll
//        ends in an offer and costs a time slice, while a thread that sleeps is woken in time.
// Not    a fixed spin count: the cost of a pause instruction differs fiftyfold between cores.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>

#include "plat/plat.hpp"

namespace vicino::sync {

// The bounds that a team gives to all its places, in nanoseconds. They come from OMP_WAIT_POLICY,
// KMP_BLOCKTIME, GOMP_SPINCOUNT, and from whether every thread has a core to itself.
struct PatienceLimits {
  uint64_t least = 2'000;      // costs less than going to sleep
  uint64_t first = 1'000'000;  // where nothing has been learned
  uint64_t most = 4'000'000;   // lost once where the program goes on to something else
  bool share_core = false;     // plat::Budget's
  bool heeds_crowd = true;     // plat::Budget's
  bool heeds_others = false;   // plat::Budget's; and so do the next waits at this place

  // The budget is learned from the waits; otherwise it is fixed, by the user or by the situation.
  constexpr bool learned() const { return least < most; }

  // Polls for exactly `ns`, whatever happens.
  static constexpr PatienceLimits fixed(uint64_t ns, bool share_core = false) {
    return {ns, ns, ns, share_core, false};
  }
  // Offers the core, and polls for `ns` of its own time unless other threads keep the core.
  static constexpr PatienceLimits shared(uint64_t ns) { return {ns, ns, ns, true, true}; }
};

// Whether a thread polls on after a poll that did not see what it waits for. `moved`: the polled
// word has changed, but not to what this thread waits for. wait_on() may have charged nothing then, and
// such polls must end, too: each costs about the time in which a line comes from another core. On a
// barrier of 64 members a word may change 100 times in one wait.
inline bool polls_on(bool moved, plat::Budget& budget, const PatienceLimits& limits) noexcept {
  constexpr uint64_t kMovedNs = 100;
  if (moved) budget.ns -= std::min(budget.ns, kMovedNs);
  return moved || (budget.lost_core && !limits.learned());
}

class Patience {
 public:
  // How to poll before sleeping, for one wait.
  plat::Budget take_budget(const PatienceLimits& limits) noexcept {
    const bool lost_core = std::exchange(lost_core_, false);
    const bool in_vain = polls_in_vain(limits);
    const bool leaves_core = leaves_core_ > 1 && limits.heeds_others;
    const bool looks = leaves_core_ == 1 && limits.heeds_others;
    if (leaves_core || looks) --leaves_core_;
    const uint64_t ns = lost_core || leaves_core || in_vain ? 0
                        : looks                             ? std::max(budget(limits), kLookNs)
                                                            : budget(limits);
    has_polled_ = ns > 0;
    return {.ns = ns,
            .share_core = limits.share_core,
            .heeds_crowd = limits.heeds_crowd,
            .heeds_others = limits.heeds_others};
  }
  // Remembers what polling found out about the core.
  void polled(const plat::Budget& budget, const PatienceLimits& limits) noexcept {
    if (budget.lost_core && limits.learned()) lost_core_ = true;
    if (budget.others_wait) leaves_core_ = kLeavesCore;
    has_lost_ |= budget.lost_core || budget.lost_slice;
  }

  // Whether threads of others wanted the core at this place of late, where that is heeded.
  bool leaves_core(const PatienceLimits& limits) const noexcept {
    return limits.heeds_others && leaves_core_ > 0;
  }

  // A wait whose end polling did not see took `waited` nanoseconds in all.
  void slept(uint64_t waited, const PatienceLimits& limits) noexcept {
    learned_ = waited <= limits.most ? 2 * waited : budget(limits) / 2;
  }

 private:
  // Asked before each wait: whether the last ones that polled all lost the core. Some poll all the same.
  bool polls_in_vain(const PatienceLimits& limits) noexcept {
    if (std::exchange(has_polled_, false))
      losses_ = std::exchange(has_lost_, false) ? std::min<uint8_t>(losses_ + 1, kLosses) : 0;
    return losses_ == kLosses && limits.learned() && ++tries_ % kTries != 0;
  }
  uint64_t budget(const PatienceLimits& limits) const noexcept {
    return learned_ == kNothing ? limits.first : std::clamp(learned_, limits.least, limits.most);
  }

  static constexpr uint64_t kNothing = UINT64_MAX;
  // Of so many waits one polls, and shows whether others still want the core.
  static constexpr uint8_t kLeavesCore = 16;
  // For two looks for others: after 10 us and after 20. Where waits are long, the budget ends before that.
  static constexpr uint64_t kLookNs = 25'000;
  // Regions of 20 us beside equals lose the core in one wait of some hundred, and again if the team's threads then miss each
  // other: with 2 they take 2.6 times the least time beside one endless process, with 3 1.7. A program with serial phases of
  // 0.3 ms beside two takes 0.28 s, 0.54 without this rule (docs/design/waiting.md).
  static constexpr uint8_t kLosses = 3;
  // Of so many waits one polls, and shows whether it still loses the core.
  static constexpr uint8_t kTries = 16;
  bool lost_core_ = false;
  bool has_polled_ = false, has_lost_ = false;  // in the last wait
  uint8_t losses_ = 0;  // polled waits in a row that lost the core, kLosses at most
  uint8_t tries_ = 0;
  uint8_t leaves_core_ = 0;  // waits until one polls, and that one; the others sleep at once
  uint64_t learned_ = kNothing;
};

}  // namespace vicino::sync
