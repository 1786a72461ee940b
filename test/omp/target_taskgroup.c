// test: peer clang-19 libomp sometimes waits for ever
// test: peer gcc-12 libgomp sometimes waits for ever
// A taskgroup waits for its target tasks, inside and outside of parallel regions.
#include <omp.h>

#include "check.h"

static void group(void) {
  int done = 0, order = 0;
#pragma omp taskgroup
  {
    for (int i = 0; i < 30; ++i)
#pragma omp target nowait map(tofrom : done)
#pragma omp atomic
      ++done;
    for (int i = 0; i < 10; ++i)
#pragma omp target nowait depend(inout : order) map(tofrom : order)
      ++order;
  }
  CHECK_EQ(done, 30);
  CHECK_EQ(order, 10);
}

int main(void) {
  for (int round = 0; round < 20; ++round) {
    group();
#pragma omp parallel
    group();
  }
  return check_result();
}
