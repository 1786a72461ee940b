// cancel ends a loop, sections or a region early when OMP_CANCELLATION is on, and does nothing when
// it is off.
// test: uses OMP_CANCELLATION=true
// test: variant off OMP_CANCELLATION=false
// test: peer clang-19@ libomp-19 asserts in a cancelled loop whose chunks are stolen
// test: peer clang-19@measured libomp-19 asserts in a cancelled loop whose chunks are stolen
// test: peer clang-19@counted libomp-19 asserts in a cancelled loop whose chunks are stolen
// test: variant measured VICINO_STATIC=measured clang
// test: variant tuned VICINO_STATIC=tuned clang
// test: variant counted VICINO_STATS=true
#include <omp.h>

#include "check.h"

enum { kTrip = 100000 };

static int of_loop(void) {
  int runs = 0;
#pragma omp parallel
#pragma omp for schedule(dynamic, 1) reduction(+ : runs)
  for (int i = 0; i < kTrip; ++i) {
    if (i == 10) {
#pragma omp cancel for
    }
#pragma omp cancellation point for
    ++runs;
  }
  return runs;
}

static int of_parallel(void) {
  int after = 0;
#pragma omp parallel shared(after)
  {
    if (omp_get_thread_num() == 0) {
#pragma omp cancel parallel
    }
#pragma omp barrier
    __atomic_fetch_add(&after, 1, __ATOMIC_RELAXED);
  }
  return after;
}

static int of_sections(void) {
  int runs = 0;
#pragma omp parallel num_threads(1)
#pragma omp sections
  {
#pragma omp section
    ++runs;
#pragma omp section
    {
#pragma omp cancel sections
      ++runs;
    }
#pragma omp section
    ++runs;
  }
  return runs;
}

int main(void) {
  int on = omp_get_cancellation(), most = omp_get_max_threads();
  CHECK_EQ(on, getenv("OMP_CANCELLATION")[0] == 't');
  for (int round = 0; round < 20; ++round) {
    int runs = of_loop();
    CHECK(on ? runs < kTrip : runs == kTrip);
    CHECK_EQ(of_parallel(), on ? 0 : most);
    CHECK_EQ(of_sections(), on ? 1 : 3);
  }
  int sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (int i = 0; i < 100; ++i) sum += i;
  CHECK_EQ(sum, 4950);
  return check_result();
}
