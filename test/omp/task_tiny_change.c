// Tasks that were tiny and become long are shared by the threads: where kinds of them come in turns,
// where a tiny task makes a long one, where each task makes the next ones, and in a region that
// begins with them.
// test: uses threads=2
// test: variant passive OMP_WAIT_POLICY=passive
#include <omp.h>

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

// Each thread runs a tenth of the long tasks at least. It is half of them where each has a core; beside
// other load a fifth was too much to ask.
static void check_shares(int line) {
  const int all = ran_by[0] + ran_by[1];
  if (all != kLong || ran_by[0] < all / 10 || ran_by[1] < all / 10) {
    printf("line %d: the threads ran %d and %d long tasks\n", line, ran_by[0], ran_by[1]);
    CHECK(0);
  }
  ran_by[0] = ran_by[1] = is_long = 0;
}

static void becomes_long(void (*generate)(int), int line) {
#pragma omp parallel num_threads(2)
#pragma omp single
  {
    share(generate, kTiny);
    is_long = 1;
    share(generate, kLong);
  }
  check_shares(line);
}

static void is_long_in_a_new_region(void (*generate)(int), int line) {
  for (int i = 0; i < 200; ++i) {
    is_long = i == 199;
#pragma omp parallel num_threads(2)
#pragma omp single
    share(generate, is_long ? kLong : 64);
  }
  check_shares(line);
}

int main(void) {
  void (*const ways[])(int) = {in_turns, by_tiny_ones, in_tree};
  for (int i = 0; i < 3; ++i) {
    becomes_long(ways[i], 100 + i);
    is_long_in_a_new_region(ways[i], 200 + i);
  }
  return check_result();
}
