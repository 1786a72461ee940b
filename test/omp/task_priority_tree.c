// A tree of tasks with priorities, each of which waits for its children: a thread that waits may not run every
// task of a high priority, for tied tasks have to be descendants of the one that waits, and must find those of a low
// priority. More threads than processors, all of which make tasks.
// test: uses threads=2,4,9
// test: uses OMP_MAX_TASK_PRIORITY=100
// test: variant few OMP_MAX_TASK_PRIORITY=2
// test: variant passive OMP_WAIT_POLICY=passive
// test: peer gcc-12 libgomp-12 ends by a signal
// test: peer clang-19 libomp-19 waits for ever
#include <omp.h>

#include "check.h"

enum { kDepth = 11, kRounds = 12 };

static long leaves(int depth) {
  if (depth < 2) return 1;
  long left = 0, right = 0, group = 0;
#pragma omp task shared(left) priority(depth)
  left = leaves(depth - 1);
#pragma omp task shared(right) priority(100 / depth)
  right = leaves(depth - 2);
#pragma omp taskgroup
  {
#pragma omp task shared(group) priority(depth / 3)
    group = depth > 5 ? leaves(depth - 4) : 1;
  }
#pragma omp taskwait
  return left + right + group;
}

static long counted(int depth) {
  if (depth < 2) return 1;
  return counted(depth - 1) + counted(depth - 2) + (depth > 5 ? counted(depth - 4) : 1);
}

static void by_all(void) {
  int runs = 0, chain = 0;
  for (int i = 0; i < 6; ++i) {
#pragma omp task priority(20 * i) shared(runs)
    {
#pragma omp task priority(1) shared(runs)
#pragma omp atomic
      ++runs;
      if (i % 2 == 0) {
#pragma omp taskwait
      }
    }
#pragma omp task priority(100 - i) depend(inout : chain) shared(chain) firstprivate(i)
    {
      CHECK_EQ(chain, i);
      ++chain;
    }
  }
#pragma omp taskgroup
  {
#pragma omp task priority(42)
    {
    }
  }
#pragma omp taskwait
  CHECK_EQ(chain, 6);
#pragma omp barrier
  CHECK_EQ(runs, 6);
}

int main(void) {
  const long wanted = counted(kDepth);
#pragma omp parallel
  for (int round = 0; round < kRounds; ++round) {
    by_all();
#pragma omp single
    CHECK_EQ(leaves(kDepth), wanted);
  }
  return check_result();
}
