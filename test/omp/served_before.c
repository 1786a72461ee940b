// A thread of the runtime that has served a thread of the program which has ended serves the next one as a thread would
// that this one had started: it blocks the same signals, may run on the same CPUs, and has the same weight.
// test: uses threads=2,7
// test: peer clang-19 libomp-19 its threads stay as the first one made them
// test: native qemu-user 7.2 gives no thread a nice value of its own
#define _GNU_SOURCE
#include <omp.h>
#include <sched.h>
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#include "check.h"
#include "other_thread.h"

static void all_are_like_me(void) {
  sigset_t my_signals;
  cpu_set_t my_cpus;
  CHECK_EQ(pthread_sigmask(SIG_SETMASK, NULL, &my_signals), 0);
  CHECK_EQ(sched_getaffinity(0, sizeof my_cpus, &my_cpus), 0);
  const int my_nice = getpriority(PRIO_PROCESS, 0), my_policy = sched_getscheduler(0);
#pragma omp parallel
  {
    sigset_t signals;
    cpu_set_t cpus;
    CHECK_EQ(pthread_sigmask(SIG_SETMASK, NULL, &signals), 0);
    for (int number = 1; number < 32; ++number) CHECK_EQ(sigismember(&signals, number), sigismember(&my_signals, number));
    CHECK_EQ(sched_getaffinity(0, sizeof cpus, &cpus), 0);
    CHECK(CPU_EQUAL(&cpus, &my_cpus));
    CHECK_EQ(getpriority(PRIO_PROCESS, 0), my_nice);
    CHECK_EQ(sched_getscheduler(0), my_policy);
  }
}

static void sets_and_ends(void) {
  sigset_t signals;
  cpu_set_t cpus;
  sigemptyset(&signals);
  sigaddset(&signals, SIGUSR1);
  CHECK_EQ(pthread_sigmask(SIG_BLOCK, &signals, NULL), 0);
  CHECK_EQ(sched_getaffinity(0, sizeof cpus, &cpus), 0);
  int first = 0;
  while (!CPU_ISSET(first, &cpus)) ++first;
  CPU_ZERO(&cpus);
  CPU_SET(first, &cpus);
  CHECK_EQ(sched_setaffinity(0, sizeof cpus, &cpus), 0);
  const struct sched_param none = {0};
  CHECK_EQ(sched_setscheduler(0, SCHED_BATCH, &none), 0);
  // Only root may take a higher weight again, as the next one has it.
  if (geteuid() == 0) CHECK_EQ(setpriority(PRIO_PROCESS, 0, 5), 0);
  all_are_like_me();
}

int main(void) {
  in_other_thread(sets_and_ends);
  in_other_thread(all_are_like_me);
  in_other_thread(sets_and_ends);
  all_are_like_me();
  return check_result();
}
