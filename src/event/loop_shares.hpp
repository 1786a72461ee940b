// loop_shares.hpp: what each member of a team has worked in each loop, and in the tasks of each place, between two barriers
// of the team.
//
// How    All members come to a region's barriers in the same order, and whoever leaves one knows that all have left the
//        loops before it. A member writes the times of interval k, which barrier k ends, and marks it as whole before
//        that barrier; after it the thread that began the region reads all members' and compares them. There is room for
//        two intervals: k + 2 is begun after barrier k + 1, at which that thread arrives when it has read k. Tasks that a
//        member runs while it waits at barrier k belong to interval k: they have ended before the barrier does.
// Not    for regions that may be cancelled, whose members leave barriers out.
//
// Memory order
//  (1) a member's arrival at barrier k, or the end of a task that it runs there, after its writes of interval k, pairs with
//  (2) the end of barrier k at the reader: it sees them. All are relaxed.
//  (3) the reader's arrival at barrier k + 1, after it has read interval k, pairs with
//  (4) the end of that barrier at the member, which then overwrites it.
// Should members ever come to different barriers, their marks differ, and the interval is not told of.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "ompt/records.hpp"
#include "plat/plat.hpp"

namespace vicino::event {

struct LoopShare {
  const void* place = nullptr;
  ompt::Work kind = ompt::Work::kNone;
  uint64_t times = 0, ticks = 0;
  // Of tasks, by the member that has spawned them: for how long it took until they had ended; since when that lasts, if the
  // barrier at the interval's end ends it.
  uint64_t span = 0, since = 0;
};

// One member's. No other thread uses what is called its own. An interval has room for `kMost` places.
template <size_t kMost>
class SharesOf {
 public:
  // The member's: it begins its part of the region of this number.
  void begin(uint64_t region) noexcept {
    mark_ = region << kBits;
    is_at_barrier_ = false;
  }
  void add(const LoopShare& more) noexcept {
    Interval& its = is_at_barrier_ ? intervals_[(mark_ - 1) % 2] : begun();
    const size_t used = its.used.load(std::memory_order_relaxed);
    size_t at = 0;
    while (at < used && !its.loops[at].is_of(more)) ++at;
    if (at == kMost) return;  // it is not told of
    Entry& entry = its.loops[at];
    const bool is_new = at == used;
    entry.place.store(more.place, std::memory_order_relaxed);
    entry.kind.store(more.kind, std::memory_order_relaxed);
    const auto add_to = [is_new](plat::atomic<uint64_t>& sum, uint64_t its_more) {
      sum.store(its_more + (is_new ? 0 : sum.load(std::memory_order_relaxed)),
                std::memory_order_relaxed);
    };
    add_to(entry.times, more.times);
    add_to(entry.ticks, more.ticks);
    add_to(entry.span, more.span);
    add_to(entry.since, more.since);
    if (is_new) its.used.store(used + 1, std::memory_order_relaxed);
  }
  // It comes to a barrier. Returns the mark of the interval that this ends.
  uint64_t end_interval() noexcept {
    begun().mark.store(mark_, std::memory_order_relaxed);  // (1)
    is_at_barrier_ = true;
    return mark_++;
  }
  // It leaves the barrier.
  void leave_barrier() noexcept { is_at_barrier_ = false; }

  // The reader's. Whether the member has ended the interval with this mark.
  bool has(uint64_t mark) const noexcept {
    return intervals_[mark % 2].mark.load(std::memory_order_relaxed) == mark;  // (2)
  }
  template <class Use>
  void each(uint64_t mark, Use&& use) const {
    const Interval& its = intervals_[mark % 2];
    const size_t used = std::min(its.used.load(std::memory_order_relaxed), kMost);
    for (size_t i = 0; i < used; ++i) {
      const Entry& one = its.loops[i];
      use(LoopShare{
          one.place.load(std::memory_order_relaxed), one.kind.load(std::memory_order_relaxed),
          one.times.load(std::memory_order_relaxed), one.ticks.load(std::memory_order_relaxed),
          one.span.load(std::memory_order_relaxed), one.since.load(std::memory_order_relaxed)});
    }
  }

 private:
  // A mark is a region's number and that of a barrier in it, below that.
  static constexpr int kBits = 32;

  struct Entry {
    plat::atomic<const void*> place{nullptr};
    plat::atomic<ompt::Work> kind{ompt::Work::kNone};
    plat::atomic<uint64_t> times{0}, ticks{0}, span{0}, since{0};

    bool is_of(const LoopShare& share) const noexcept {
      return place.load(std::memory_order_relaxed) == share.place &&
             kind.load(std::memory_order_relaxed) == share.kind;
    }
  };
  struct Interval {
    plat::atomic<uint64_t> mark{0};
    plat::atomic<size_t> used{0};
    std::array<Entry, kMost> loops;
  };
  // The present interval, which is emptied at its first use: so after the barrier before it.  (4)
  Interval& begun() noexcept {
    Interval& its = intervals_[mark_ % 2];
    if (begun_ != mark_) its.used.store(0, std::memory_order_relaxed);
    begun_ = mark_;
    return its;
  }

  // Its own.
  uint64_t mark_ = 0;   // of the present interval
  uint64_t begun_ = 0;  // of the last interval that was begun
  bool is_at_barrier_ = false;
  std::array<Interval, 2> intervals_;
};

// Few programs have two loops without a barrier between, but a single construct may have many taskloops.
using LoopShares = SharesOf<32>;

}  // namespace vicino::event
