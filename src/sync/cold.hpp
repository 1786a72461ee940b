// cold.hpp: one lock for everything that the process shares and seldom changes: the pool of
// threads, threadprivate variables, the affinity format, limits of waiting.
//
// There is one such lock, so that fork() has one to hold: a child gets its memory in a state in
// which no other thread was changing any of these. A thread that holds the lock neither takes it
// again nor waits for a thread that may take it.
#pragma once

#include "sync/lock.hpp"

namespace vicino::sync {

class Cold {
 public:
  Cold() noexcept { take(); }
  ~Cold() { leave(); }
  Cold(const Cold&) = delete;

  // For fork(), which begins and ends in different functions.
  static void take() noexcept { lock_.acquire({.ns = 10'000}); }
  static void leave() noexcept { lock_.release(); }
  // Whether some thread holds the lock.
  static bool is_held() noexcept { return lock_.held(); }

 private:
  static inline constinit sync::Lock lock_;
};

}  // namespace vicino::sync
