// locks.hpp: the locks that the program sees, and critical sections.
#pragma once

#include "base/line.hpp"
#include "region/roots.hpp"
#include "sync/lock.hpp"

namespace vicino::region {

using team::Member;
using team::self;

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

inline void enter_critical(sync::ForkedLock& lock) {
  take(lock);
  hold_one();
  sync::criticals.push(lock);
}
inline void leave_critical(sync::ForkedLock& lock) noexcept {
  sync::criticals.pop();
  hold_one_less();
  lock.release();
}

}  // namespace vicino::region
