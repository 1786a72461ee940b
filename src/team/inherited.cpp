#include "team/inherited.hpp"

#include <sys/resource.h>

#include "base/kept_errno.hpp"
#include "team/places.hpp"
#include "topo/process_mask.hpp"

namespace vicino::team {

Inherited Inherited::now(bool cpus) noexcept {
  const KeptErrno kept;
  Inherited its;
  pthread_sigmask(SIG_SETMASK, nullptr, &its.signals);
  if (cpus) its.mask = topo::mask_of_thread(0);
  its.policy = sched_getscheduler(0);
  sched_getparam(0, &its.priority);
  its.nice = getpriority(PRIO_PROCESS, 0);
  return its;
}

void Inherited::take_over(bool cpus) const noexcept {
  const KeptErrno kept;
  pthread_sigmask(SIG_SETMASK, &signals, nullptr);
  // Mostly they are the same, and to ask takes less than to set.
  const Inherited mine = now(cpus);
  if (mask && mine.mask && *mask != *mine.mask) run_on(*mask);
  if (policy != mine.policy || priority.sched_priority != mine.priority.sched_priority)
    sched_setscheduler(0, policy, &priority);
  if (nice != mine.nice) setpriority(PRIO_PROCESS, 0, nice);
}

}  // namespace vicino::team
