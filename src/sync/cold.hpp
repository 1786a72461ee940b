// cold.hpp: one lock for everything that the process shares and seldom changes: the pool of
// threads, threadprivate variables, the affinity format, limits of waiting; and one for what is made once.
//
// There are only these, so that fork() has few to hold: a child gets its memory in a state in
// which no other thread was changing any of these. A thread that holds the lock neither takes it
// again nor waits for a thread that may take it.
#pragma once

#include "sync/lock.hpp"

namespace vicino::sync {

template <class Which>
class ProcessLock {
 public:
  ProcessLock() noexcept { take(); }
  ~ProcessLock() { leave(); }
  ProcessLock(const ProcessLock&) = delete;

  // For fork(), which begins and ends in different functions.
  static void take() noexcept { lock_.acquire({.ns = 10'000}); }
  static void leave() noexcept { lock_.release(); }
  // Whether some thread holds the lock.
  static bool is_held() noexcept { return lock_.held(); }

 private:
  static inline constinit sync::Lock lock_;
};

class Cold : public ProcessLock<Cold> {};

// Held during a thread's first call. That call makes much that is made once, each thing behind the
// guard of a local static. A child of fork() would find a guard taken for ever that another thread
// had taken; so fork() takes this lock. It is taken before Cold. What is made elsewhere is made under Cold, or
// without a guard (base/first_made.hpp).
class FirstCall : public ProcessLock<FirstCall> {};

}  // namespace vicino::sync
