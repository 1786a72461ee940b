// taskloop: each iteration once, for several index types, with grainsize, num_tasks, lastprivate,
// reduction and nogroup.
#include <omp.h>

#include <cstdint>

#include "check.h"
#include "compiler_faults.hpp"

enum { kTrip = 300 };
static unsigned char seen[kTrip];

template <class T>
void clauses() {
#pragma omp taskloop
  for (T i = 0; i < T(100); ++i) hit(seen, long(i));
  CHECK_EACH_ONCE(seen, 100);
  if (kCountsDown<T>) {
#pragma omp taskloop grainsize(7)
    for (T i = 120; i > T(20); i -= 3) hit(seen, long(120 - i) / 3);
    CHECK_EACH_ONCE(seen, 34);
  }
#pragma omp taskloop num_tasks(5)
  for (T i = 3; i < T(123); i += 2) hit(seen, long(i - 3) / 2);
  CHECK_EACH_ONCE(seen, 60);
#pragma omp taskloop if (0)
  for (T i = 0; i < T(10); ++i) hit(seen, long(i));
  CHECK_EACH_ONCE(seen, 10);
#pragma omp taskloop
  for (T i = 5; i < T(5); ++i) hit(seen, 0);
}

static void values() {
  int last = -1, first = 4;
#pragma omp taskloop lastprivate(last) firstprivate(first) grainsize(11)
  for (int i = 0; i < kTrip; ++i) last = i + first;
  CHECK_EQ(last, kTrip - 1 + 4);
  long sum = 3;
#pragma omp taskloop reduction(+ : sum)
  for (int i = 0; i < kTrip; ++i) sum += i;
  CHECK_EQ(sum, 3 + kTrip * (kTrip - 1) / 2);
}

static void without_group() {
#pragma omp taskgroup
  {
#pragma omp taskloop nogroup collapse(2)
    for (int i = 0; i < 10; ++i)
      for (int j = 0; j < 30; ++j) hit(seen, i * 30 + j);
  }
  CHECK_EACH_ONCE(seen, kTrip);
}

int main() {
#pragma omp parallel
#pragma omp single
  for (int round = 0; round < 5; ++round) {
    clauses<int8_t>();
    clauses<uint8_t>();
    clauses<int>();
    clauses<unsigned>();
    clauses<int64_t>();
    clauses<uint64_t>();
    values();
    without_group();
  }
#pragma omp parallel
#pragma omp masked
#pragma omp taskloop simd
  for (int i = 0; i < kTrip; ++i) hit(seen, i);
  CHECK_EACH_ONCE(seen, kTrip);
  return check_result();
}
