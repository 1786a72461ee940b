// Tasks that were tiny and become long are shared by the threads: where kinds of them come in turns,
// where a tiny task makes a long one, where each task makes the next ones, and in a region that
// begins with them.
// test: uses threads=2
// test: variant passive OMP_WAIT_POLICY=passive
#include <omp.h>
#include <sys/resource.h>

#include "check.h"

enum { kTiny = 20000, kLong = 400 };

static int is_long;
static int ran_by[2];  // how many long tasks each thread ran

static void body(void) {
  if (!is_long) return;
  __atomic_fetch_add(&ran_by[omp_get_thread_num()], 1, __ATOMIC_RELAXED);
  const double end = omp_get_wtime() + 200e-6;
  while (omp_get_wtime() < end) {
  }
}

static void in_turns(int count) {
  for (int i = 0; i < count; i += 2) {
#pragma omp task
    body();
#pragma omp task
    body();
  }
}

static void by_tiny_ones(int count) {
  for (int i = 0; i < count; ++i) {
#pragma omp task
    {
#pragma omp task
      body();
    }
  }
}

static void in_tree(int count) {
  if (count <= 1) return body();
#pragma omp task
  in_tree(count / 2);
#pragma omp task
  in_tree(count - count / 2);
}

static void share(void (*generate)(int), int count) {
#pragma omp taskgroup
  generate(count);
}

// Each thread has run a fifth of the long tasks at least.
static int are_shared(void) {
  const int all = ran_by[0] + ran_by[1];
  return all == kLong && ran_by[0] >= all / 5 && ran_by[1] >= all / 5;
}

// How often others have taken the core from one of this process's threads.
static long losses(void) {
  struct rusage usage;
  return getrusage(RUSAGE_SELF, &usage) == 0 ? usage.ru_nivcsw : 0;
}

// A thread that loses its core meanwhile may come too late: then the tasks are made once more. So a pass says that
// tasks that have become long can be shared, once in some tries, and not how often they are: it finds a runtime that
// goes on running them as calls, which shares in no try. How soon a length is noticed, test/unit/task_lengths_test.cpp
// counts, without a clock.
static void check_shared(void (*run)(void (*generate)(int)), void (*generate)(int), int line) {
  enum { kTries = 10, kUsualLosses = 2 };
  for (int i = 0; i < kTries; ++i) {
    const long before = losses();
    ran_by[0] = ran_by[1] = is_long = 0;
    run(generate);
    if (are_shared()) return;
    if (losses() - before <= kUsualLosses) break;
  }
  printf("line %d: the threads ran %d and %d long tasks\n", line, ran_by[0], ran_by[1]);
  CHECK(0);
}

static void becomes_long(void (*generate)(int)) {
#pragma omp parallel num_threads(2)
#pragma omp single
  {
    share(generate, kTiny);
    is_long = 1;
    share(generate, kLong);
  }
}

static void is_long_in_a_new_region(void (*generate)(int)) {
  for (int i = 0; i < 200; ++i) {
    is_long = i == 199;
#pragma omp parallel num_threads(2)
#pragma omp single
    share(generate, is_long ? kLong : 64);
  }
}

int main(void) {
  void (*const ways[])(int) = {in_turns, by_tiny_ones, in_tree};
  for (int i = 0; i < 3; ++i) {
    check_shared(becomes_long, ways[i], 100 + i);
    check_shared(is_long_in_a_new_region, ways[i], 200 + i);
  }
  return check_result();
}
