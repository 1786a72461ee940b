// plat.hpp: the seam between Vicino's algorithms and the machine below them.
//
// Why    Locks, barriers, schedulers and the loop ring use only what is declared under this name,
//        so that the model checker (plat/model) and a simulator compile the same sources against
//        another `plat`. In the product it is plat/native, and costs nothing.
//
// What a `plat` provides, in namespace vicino::plat:
//   atomic<T>                     std::atomic<T>'s interface
//   atomic_ref<T>                 std::atomic_ref<T>'s; native only
//   now()                         monotonic time, nanoseconds
//   rnd()                         a pseudo-random 64-bit number, cheap, per thread
//   relax()                       tells the core that this thread is polling
//   wait_on(word, seen, budget)   polls until `word` is no longer `seen` or the budget is used up
//   sleep_on(word, seen)          sleeps while `word` is `seen`; may return early
//   wake(word, n)                 wakes up to `n` threads that sleep on `word`
//   light_fence(), heavy_fence()  of two threads that write one word and read the other's, one with
//                                 each fence in between, at least one sees what the other wrote.
//                                 The light one costs next to nothing, the heavy one microseconds
// where `word` is an atomic of 4 or 8 bytes; of 8 bytes sleep_on compares the low 4.
#pragma once

#include <cstdint>

namespace vicino::plat {

// How wait_on polls, and what it found out about the core.
struct Budget {
  uint64_t ns;                // of this core's time
  int pauses = 1;             // between two polls
  bool share_core = false;    // other waiters and workers of ours are queued for this core
  bool may_withhold = false;  // strangers need not be offered the core
  uint64_t offer_from = 0;    // in and out: the time before which the core is not offered to others
  bool lost_core =
      false;  // out: one of ours took the core while we polled, so polling was not free
};

}  // namespace vicino::plat

#ifdef VICINO_PLAT_MODEL
#include "plat/model/plat.hpp"
#else
#include "plat/native/plat.hpp"
#endif
