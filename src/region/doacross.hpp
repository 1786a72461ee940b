// doacross.hpp: a team's doacross loops: begun, posted, waited for, and ended.
//
// Every member of the team begins the nest before its loop, and ends it after. The first to begin
// makes what they share; the last to end frees it, or the region's end, where members have left
// because the region was cancelled. The algorithm is in loop/doacross.hpp.
//
// Memory order
//  N1 `left`: each member's fetch_add is an acq_rel, so the member that frees the nest does so
//     after all uses of it.
//  The nest is published by the lock of team/construct_memory.hpp.
#pragma once

#include <memory>
#include <vector>

#include "loop/doacross.hpp"
#include "team/team.hpp"

namespace vicino::region {

using team::Member;

// The flags of a nest: zeros, of which the first begins a cache line, so that Posts puts neighbours into two
// lines. Empty if there is no memory for them.
class DoacrossFlags {
 public:
  explicit DoacrossFlags(std::span<const loop::DoacrossLoop> nest) noexcept;
  std::span<loop::Posts::Flag> span() const noexcept { return flags_; }
  loop::Posts::Layout layout() const noexcept { return layout_; }

 private:
  void allocate(std::size_t least) noexcept;
  struct Free {
    void operator()(void* block) const noexcept;
  };
  std::unique_ptr<void, Free> block_;
  std::span<loop::Posts::Flag> flags_;
  loop::Posts::Layout layout_ = loop::Posts::Layout::kInRow;
};

// What the members of a team share in one nest.
class Doacross {
 public:
  explicit Doacross(std::span<const loop::DoacrossLoop> nest);

  // As loop::iteration_of().
  template <class Next>
  uint64_t iteration_of(Next next) const noexcept {
    return iteration_of(next, 0);
  }
  // As above, for a wait.
  template <class Next>
  uint64_t sink_of(Next next) const noexcept {
    return iteration_of(next, unused_.load(std::memory_order_relaxed));
  }

  std::size_t loops() const noexcept { return nest_.size(); }

  // A member's loop, which is the first of the nest or several of them collapsed, has this trip
  // count. clang gives a loop of n iterations as one from 0 to n, inclusive, of which the last is
  // never run; a wait for it would not end.
  void note_trip(uint64_t trip) noexcept;

  loop::Posts& posts() noexcept { return posts_; }
  const loop::Posts& posts() const noexcept { return posts_; }

  // Whether all `members` have left.
  bool leave(int members) noexcept {
    return left_.fetch_add(1, std::memory_order_acq_rel) == members - 1;  // N1
  }

 private:
  // clang gives a huge trip count to some loops that have no iterations. So only a nest whose
  // iterations are run has to have memory.
  template <class Next>
  uint64_t iteration_of(Next next, uint64_t unused) const noexcept {
    if (flags_.span().empty()) [[unlikely]]
      die_of_size();
    return loop::iteration_of(nest_, next, unused);
  }
  [[noreturn]] void die_of_size() const noexcept;

  const std::vector<loop::DoacrossLoop> loops_;
  // `loops_`, for each post and wait: a vector's size takes a multiplication.
  const std::span<const loop::DoacrossLoop> nest_{loops_};
  const DoacrossFlags flags_;
  loop::Posts posts_;
  // How many iterations at each loop's end are never run. Relaxed: all members write the same, each
  // before it waits.
  plat::atomic<uint64_t> unused_{0};
  plat::atomic<int> left_{0};
};

// In a team of one nothing is shared: its member runs all iterations in order.
void begin_doacross(Member& member, std::span<const loop::DoacrossLoop> nest);

void leave_doacross(Member& member) noexcept;
inline void end_doacross(Member& member) noexcept {
  if (member.loop.doacross != nullptr) [[unlikely]]
    leave_doacross(member);
}

// Waits for an iteration that was not posted a moment ago.
void wait_for_iteration(Member& member, uint64_t iteration) noexcept;

// `next`: as for loop::iteration_of().
template <class Next>
void post(Member& member, Next next) noexcept {
  Doacross* const doacross = member.loop.doacross;
  if (doacross == nullptr) return;
  const uint64_t iteration = doacross->iteration_of(next);
  if (iteration != loop::kNoIteration) doacross->posts().post(iteration);
}
// An iteration outside of the nest is not waited for.
template <class Next>
void wait_for_post(Member& member, Next next) noexcept {
  const Doacross* const doacross = member.loop.doacross;
  if (doacross == nullptr) return;
  const uint64_t iteration = doacross->sink_of(next);
  if (iteration != loop::kNoIteration && !doacross->posts().is_posted(iteration))
    wait_for_iteration(member, iteration);
}

}  // namespace vicino::region
