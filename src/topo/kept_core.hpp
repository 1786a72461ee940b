// kept_core.hpp: a thread that sleeps is woken on the core on which it went to sleep.
//
// Why    Where threads of another runtime poll between two regions, the members that are woken for the second one find no
//        idle core. Then the kernel compares loads, not knowing that the pollers do nothing, and puts two members on one
//        core: their region takes twice as long. Regions and oneTBB's loops in turns of 1 ms took 1.3 to 1.9 times the
//        least time on four CPUs of the lab, and take 1.02; of 0.2 ms 1.6 to 1.8, and take 1.1 to 1.2 (bench/roots).
// How    The thread allows itself only that core while it sleeps, or another one if the primary thread is there, or a
//        thread that sleeps in the same way has it. Then it takes its mask back.
// Not    for every sleep: an idle core is better, and the thread cannot know whether this one has become busy. Nor above
//        1024 CPUs: masks are cpu_set_t, not CpuSet, since a member that goes to sleep may never have called malloc().
//
// What else sets masks of threads that sleep (lend/guest.hpp, a tool) wins: a mask that was changed meanwhile stays.
#pragma once

#include <sched.h>

#include <cstdint>

namespace vicino::topo {

// Where the kernel writes on which core a thread runs, for as long as the thread lives: a word of what glibc registers for
// restartable sequences. Null where it registers nothing (before glibc 2.35, on musl).
using CoreWord = const volatile uint32_t*;
// The calling thread's.
CoreWord core_word() noexcept;

class KeptCore {
 public:
  // `primary`: of the thread that will wake this one.
  KeptCore(bool is_wanted, CoreWord primary) noexcept {
    if (is_wanted) [[unlikely]]
      keep(primary);
  }
  ~KeptCore() {
    if (core_ >= 0) [[unlikely]]
      leave();
  }
  KeptCore(const KeptCore&) = delete;

 private:
  void keep(CoreWord primary) noexcept;
  void leave() const noexcept;

  int core_ = -1;   // -1: it keeps none
  cpu_set_t mask_;  // what it had before; with a core only
};

}  // namespace vicino::topo
