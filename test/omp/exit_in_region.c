// exit() by one thread of a region while the others wait, work or hold what its exit handlers need; or the process
// ends while another thread of the program is in a region.
// test: exit 7
// test: variant work WHERE=work
// test: variant primary WHERE=primary
// test: variant critical WHERE=critical
// test: variant tasks WHERE=tasks threads=1,2,4
// test: variant nested WHERE=nested OMP_MAX_ACTIVE_LEVELS=2
// test: variant elsewhere WHERE=elsewhere threads=2,4
#include <omp.h>
#include <pthread.h>
#include <unistd.h>

#include "check.h"

// The runtime still serves the handlers of exit().
static void farewell(void) {
#pragma omp critical(farewell)
  fflush(stdout);
}

static void at_barrier(void) {
#pragma omp parallel
  {
#pragma omp barrier
    if (omp_get_thread_num() == omp_get_num_threads() - 1) exit(7);
#pragma omp barrier
  }
}

static void at_work(void) {
#pragma omp parallel
  {
#pragma omp barrier
    if (omp_get_thread_num() == omp_get_num_threads() - 1) exit(7);
    for (;;) __asm__ volatile("");
  }
}

static void by_primary(void) {
#pragma omp parallel
  {
    if (omp_get_thread_num() == 0) exit(7);
    pause();
  }
}

// The others wait for the critical section that it is in.
static void in_critical(void) {
#pragma omp parallel
#pragma omp critical
  exit(7);
}

static void in_tasks(void) {
#pragma omp parallel
#pragma omp single
  {
    for (int i = 0; i < 300; ++i) {
#pragma omp task
      if (i == 200) exit(7);
    }
#pragma omp taskwait
  }
}

static void in_nested(void) {
#pragma omp parallel num_threads(2)
#pragma omp parallel
  {
    if (omp_get_ancestor_thread_num(1) == 1 && omp_get_thread_num() == omp_get_num_threads() - 1)
      exit(7);
#pragma omp barrier
    pause();
  }
}

static int rounds = 0;
static void* go_on(void* unused) {
  for (;;) {
    long sum = 0;
#pragma omp parallel for reduction(+ : sum)
    for (int i = 0; i < 100; ++i) sum += i;
    __atomic_fetch_add(&rounds, sum == 4950, __ATOMIC_RELAXED);
  }
  return unused;
}
static void elsewhere(void) {
  pthread_t thread;
  if (pthread_create(&thread, NULL, go_on, NULL)) abort();
  while (__atomic_load_n(&rounds, __ATOMIC_RELAXED) < 20) usleep(100);
  exit(7);
}

static const struct {
  const char* name;
  void (*run)(void);
} kWays[] = {{"work", at_work},   {"primary", by_primary}, {"critical", in_critical},
             {"tasks", in_tasks}, {"nested", in_nested},   {"elsewhere", elsewhere}};

int main(void) {
  const char* where = getenv("WHERE");
  atexit(farewell);
  if (where == NULL) at_barrier();
  for (unsigned i = 0; i < sizeof kWays / sizeof *kWays; ++i)
    if (where != NULL && strcmp(where, kWays[i].name) == 0) kWays[i].run();
  return 1;
}
