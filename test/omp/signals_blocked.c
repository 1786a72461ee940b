// A program that blocks signals before its first region takes them one by one, when it wants to: no thread of
// the runtime takes one from it, not in a region, not between regions, and not a thread that is started later.
// test: uses threads=2,7
// test: variant places OMP_PLACES=threads OMP_PROC_BIND=close
// test: variant nested OMP_MAX_ACTIVE_LEVELS=2
#define _GNU_SOURCE
#include <omp.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

#include "check.h"

static const int kSignals[] = {SIGUSR1, SIGUSR2, SIGHUP, SIGALRM, SIGCHLD};
enum { kKinds = sizeof kSignals / sizeof *kSignals };

static int handled = 0;
static void handle(int number) {
  (void)number;
  __atomic_fetch_add(&handled, 1, __ATOMIC_RELAXED);
}

static sigset_t block_them(void) {
  sigset_t all;
  sigemptyset(&all);
  for (int i = 0; i < kKinds; ++i) {
    CHECK(signal(kSignals[i], handle) != SIG_ERR);
    sigaddset(&all, kSignals[i]);
  }
  CHECK_EQ(sigprocmask(SIG_BLOCK, &all, NULL), 0);
  return all;
}

static void members_block_them(int threads) {
#pragma omp parallel num_threads(threads)
  {
    sigset_t mine;
    CHECK_EQ(pthread_sigmask(SIG_BLOCK, NULL, &mine), 0);
    for (int i = 0; i < kKinds; ++i) CHECK(sigismember(&mine, kSignals[i]));
#pragma omp parallel num_threads(2)
    {
      CHECK_EQ(pthread_sigmask(SIG_BLOCK, NULL, &mine), 0);
      CHECK(sigismember(&mine, SIGUSR1));
    }
  }
}

// Signals to the process, of which the kernel gives each to any thread that does not block it.
static void send_them(void) {
  for (int i = 0; i < kKinds; ++i) CHECK_EQ(kill(getpid(), kSignals[i]), 0);
}

static void take_them(const sigset_t* all) {
  const struct timespec none = {0, 0};
  int taken = 0;
  while (sigtimedwait(all, NULL, &none) > 0) ++taken;
  CHECK_EQ(taken, kKinds);
}

int main(void) {
  const sigset_t all = block_them();
  for (int threads = 2; threads <= omp_get_max_threads() + 1; ++threads) {
    members_block_them(threads);
    send_them();  // while the threads wait for the next region
    members_block_them(threads);
    take_them(&all);
#pragma omp parallel num_threads(threads)
#pragma omp single
    send_them();  // while the others wait at the end of single
    take_them(&all);
  }
  CHECK_EQ(handled, 0);
  return check_result();
}
