// plat.hpp: the seam between Vicino's algorithms and the machine below them.
//
// Why    Locks, barriers, schedulers and the loop ring use only what this header declares, so that
//        the model checker (plat/model) and the simulator (plat/sim) compile the same sources
//        against another `plat`. In the product the seam is plat/native, and it costs nothing.
//
// Each `plat` provides these in namespace vicino::plat:
//   atomic<T>                     std::atomic<T>'s interface
//   atomic_ref<T>                 std::atomic_ref<T>'s; native only
//   now()                         monotonic time, nanoseconds
//   rnd()                         a pseudo-random 64-bit number, cheap, per thread
//   relax()                       tells the core that this thread is polling
//   wait_on(word, seen, budget)   polls until `word` is no longer `seen` or the budget is used up
//   was_throttled()               whether the quota was used up; native only, as is all of lost_time.hpp
//   sleep_on(word, seen)          sleeps while `word` is `seen`; may return early
//   wake(word, n)                 wakes up to `n` threads that sleep on `word`
//   light_fence(), heavy_fence()  one thread writes word a, passes one of the fences and reads word
//                                 b; another writes b, passes the other fence and reads a: at least
//                                 one of them sees the other's write. The light fence costs next to
//                                 nothing, the heavy one microseconds
// `word` is an atomic of 4 or 8 bytes; sleep_on() compares the low 4 bytes of 8. wait_on() polls one byte, too.
#pragma once

#include <cstdint>

namespace vicino::plat {

// How wait_on() polls, and what it learns about the core.
struct Budget {
  uint64_t ns;               // of this core's time
  int pauses = 1;            // between two polls
  bool share_core = false;   // other threads of Vicino are queued for this core
  bool heeds_crowd = false;  // notes a crowd, sleeps for moments, and ends if the thread is outrun
  // Out: another thread of Vicino took the core meanwhile, so polling was not free.
  bool lost_core = false;
  bool lost_slice = false;  // out: the thread was away from its core for a time slice or more
  // The polling ends when threads of the process that are not Vicino's may wait for a CPU.
  bool heeds_others = false;
  bool others_wait = false;  // out: it has ended so
};

// A thread that has offered its core by yield() is outrun if it gets the core back only after a time slice: the thread
// that took it works, or polls without offers, and one that yields comes after it each time, while one that is woken
// may interrupt it. So an outrun thread sleeps at once when it waits, for a while.
class Outrun {
 public:
  static constexpr uint64_t kSliceNs = 500'000;  // less than any time slice
  static constexpr uint64_t kNs = 100'000'000;   // many time slices

  bool lasts(uint64_t now) const noexcept { return now < until_; }
  void begin(uint64_t now) noexcept { until_ = now + kNs; }

 private:
  uint64_t until_ = 0;
};

}  // namespace vicino::plat

#if defined(VICINO_PLAT_MODEL)
#include "plat/model/plat.hpp"
#elif defined(VICINO_PLAT_SIM)
#include "plat/sim/plat.hpp"
#else
#include "plat/native/plat.hpp"
#endif
