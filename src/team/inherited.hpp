// inherited.hpp: what the kernel gives a thread of its creator's: the signals that it blocks, its CPUs, its weight.
//
// Vicino's threads outlive the thread of the program that they were started for, and then serve others. Such a thread
// becomes like one that its new leader would have started. Not what lies in its memory: variables that are local to a
// thread stay.
#pragma once

#include <sched.h>
#include <signal.h>

#include <optional>

#include "base/cpu_set.hpp"

namespace vicino::team {

struct Inherited {
  // Of the calling thread. `cpus`: its mask is the program's wish, for Vicino has not bound the thread. The program's
  // errno stays as it is, here and below.
  static Inherited now(bool cpus) noexcept;
  // Makes the calling thread the same, its mask only with `cpus`; what the kernel refuses stays as it was.
  void take_over(bool cpus) const noexcept;

  sigset_t signals;
  std::optional<CpuSet> mask;
  int policy = 0;
  sched_param priority{};
  int nice = 0;
};

}  // namespace vicino::team
