// constructs.hpp: single, copyprivate, critical sections and reductions of a team.
#pragma once

#include "base/line.hpp"
#include "region/fork.hpp"
#include "sync/lock.hpp"
#include "team/worker.hpp"

namespace vicino::region {

using team::me;
using team::Member;
using team::Reduction;
using team::self;
using team::Team;

// How long a thread polls for a lock before it sleeps: longer than a reasonable critical section,
// shorter than a time slice, and not at all when the holder may not be running.
inline plat::Budget lock_patience(const Member& member) noexcept {
  constexpr uint64_t kMost = 50'000;
  const sync::PatienceLimits& limits = *member.team->patience;
  return {.ns = std::min(limits.most, kMost), .share_core = limits.share_core};
}

// A lock with cache lines of its own: otherwise every use of it slows down threads that use adjacent data.
struct alignas(kLinePair) GlobalLock : sync::ForkedLock {};

// A thread that has met no construct yet and finds the lock free does not become a root:
// libraries take their locks once when they start, and many programs never come to a region.
template <class Lock>
void take(Lock& lock) {
  lock.acquire([] { return lock_patience(me()); });
}

// The calling thread has taken a lock that the program sees, or has given it back.
inline void hold_one() noexcept {
  if (self != nullptr)
    self->worker->budget.hold_lock();
  else
    ++team::early_locks;
}
inline void hold_one_less() noexcept {
  if (self != nullptr)
    self->worker->budget.drop_lock();
  else if (team::early_locks > 0)  // else it was taken in a root that has ended
    --team::early_locks;
}

// Simple locks.
inline void enter_exclusive(sync::Lock& lock) {
  take(lock);
  hold_one();
}
inline void leave_exclusive(sync::Lock& lock) noexcept {
  hold_one_less();
  lock.release();
}

// The critical regions that the calling thread is in, for a child of fork(): they nest. A critical region
// in an untied task may end on another thread; then a list names one too many or too few, and a child of
// that thread may wait for a lock as if this list were not there.
class Criticals {
 public:
  void push(sync::ForkedLock& lock) noexcept {
    if (depth_ < kMost) locks_[depth_] = &lock;
    ++depth_;
  }
  void pop() noexcept {
    if (depth_ > 0) --depth_;
  }
  // By the only thread of a child: its own locks stay held, and those of the parent's other threads are
  // free. Where it is in more than kMost critical regions, all locks stay as they are.
  void survive_fork() const noexcept {
    if (depth_ > kMost) return;
    sync::ForkedWords::begin_generation();
    for (uint32_t i = 0; i < depth_; ++i) locks_[i]->adopt();
  }

 private:
  // As many as fill a cache line of each thread's. Nests this deep are not known; to name one more would cost no time,
  // but static TLS, of which a process that loads this library late has little.
  static constexpr uint32_t kMost = 7;

  uint32_t depth_ = 0;
  sync::ForkedLock* locks_[kMost] = {};
};
static_assert(sizeof(Criticals) == kLine);
extern thread_local constinit Criticals criticals;

inline void enter_critical(sync::ForkedLock& lock) {
  take(lock);
  hold_one();
  criticals.push(lock);
}
inline void leave_critical(sync::ForkedLock& lock) noexcept {
  criticals.pop();
  hold_one_less();
  lock.release();
}

// True for the one member of the team that is to run this `single`.
inline bool take_single(Member& member) noexcept {
  Team& team = *member.team;
  const uint64_t mine = member.met.singles++;
  return team.size == 1 || team.singles.take(mine, team.size);
}

// copyprivate: the member that ran the single gives its data; the others wait for it. The data stay
// until the next barrier of all members. The event count is set to that barrier's number, which is
// larger each time. Plain `copy_data` is ordered by it (G1 and G2 of sync/event_count.hpp).
inline void give_copy(Member& member, void* data) noexcept {
  member.team->copy_data = data;
  member.team->copy.advance(member.generation + 1);
}
inline void* get_copy(Member& member) noexcept {
  const sync::Waiting waiting = member.waiting();
  member.team->copy.wait_for(member.generation + 1, waiting.patience, waiting.limits);
  return member.team->copy_data;
}

// `atomic_possible`: the compiler has made code for an atomic reduction. `blocking`: the members wait
// for the result; large teams may wait for each other anyway. The settings force a way, or ask for the
// deterministic one: the tree, whose order depends only on the team's size and places.
Reduction choose_reduction(const Member& member, bool atomic_possible, bool blocking) noexcept;

using Combine = void (*)(void* into, void* from);

// All members give their data. Member 0 gets true, and its data then hold the result. The data of
// the other members are in use until let_go(), which all members call: the others at once, member 0
// when it has used the result. gather() orders these plain data (B1 and B2 of sync/barrier.hpp).
bool reduce_tree(Member& member, void* data, Combine combine) noexcept;
inline void let_go(Member& member) noexcept { barrier(member); }

}  // namespace vicino::region
