// Scopes whose tasks reduce a variable hold barriers, loops and scopes of the same kind, outside of a region, in a league
// and in regions: the copies last until the scope's end, however many barriers and constructs come before it.
// test: skip clang it has no scope before 21, and then no reductions by tasks with it
#include <omp.h>

#include "check.h"

enum { kDeep = 12 };

static long sums[kDeep], total, sum_of_loop, threads;

static void add(long* sum, long what) {
#pragma omp task in_reduction(+ : sum[:1]) firstprivate(what)
  *sum += what;
}

// The sum at each depth is complete at the end of its scope, after those of all that are deeper.
static void scopes(int depth) {
  if (depth == kDeep) return;
  long* const sum = &sums[depth];
#pragma omp scope reduction(task, + : sum[:1])
  {
    add(sum, depth + 1);
#pragma omp barrier
    scopes(depth + 1);
    *sum += 100;
    add(sum, depth + 1);
  }
  CHECK_EQ(*sum, threads * (100 + 2 * (depth + 1)));
}

static void one_loop(void) {
#pragma omp for reduction(task, + : sum_of_loop) schedule(dynamic)
  for (int k = 0; k < 10; ++k)
#pragma omp task in_reduction(+ : sum_of_loop)
    sum_of_loop += k;
}

// A scope around loops, each of which has copies, too.
static void loops(void) {
  long* const all = &total;
#pragma omp scope reduction(task, + : all[:1])
  for (int i = 0; i < kDeep; ++i) {
#pragma omp single
    sum_of_loop = 0;
    one_loop();
    CHECK_EQ(sum_of_loop, 45);
#pragma omp barrier
    add(all, 1);
  }
  CHECK_EQ(total, threads * kDeep);
}

// By one thread before the others come.
static void clear(int size) {
  memset(sums, 0, sizeof sums);
  total = 0;
  threads = size;
}

int main(void) {
  for (int round = 0; round < 3; ++round) {
    clear(1);
    scopes(0);
    loops();
  }
#pragma omp teams num_teams(2)
  {
    clear(1);
    scopes(0);
    loops();
  }
#pragma omp parallel
  for (int round = 0; round < 3; ++round) {
#pragma omp single
    clear(omp_get_num_threads());
    scopes(0);
    loops();
#pragma omp barrier
  }
  return check_result();
}
