// test: uses clang -fopenmp-version=51
// A task that depends on omp_all_memory runs after every earlier task and before every later one,
// whatever addresses they name. gcc 12 does not know omp_all_memory.
#include <omp.h>

#include "check.h"

enum { kAddresses = 40 };

int main(void) {
  static int value[kAddresses];
#pragma omp parallel
#pragma omp single
  for (int round = 0; round < 30; ++round) {
    int fence = 0;
    memset(value, 0, sizeof value);
    for (int i = 0; i < kAddresses; ++i)
      for (int reader = 0; reader <= i % 4; ++reader)
#pragma omp task depend(inoutset : value[i]) firstprivate(i)
        __atomic_fetch_add(&value[i], 1, __ATOMIC_RELAXED);
#pragma omp task depend(inout : omp_all_memory) shared(fence)
    {
      for (int i = 0; i < kAddresses; ++i) CHECK_EQ(value[i], i % 4 + 1);
      fence = 1;
    }
    // Half of the addresses were named by earlier tasks, half were not.
    for (int i = 0; i < 2 * kAddresses; i += 2)
#pragma omp task depend(in : (&value[0])[i]) shared(fence)
      CHECK_EQ(fence, 1);
#pragma omp task depend(out : omp_all_memory) shared(fence)
    fence = 2;
#pragma omp task depend(inout : omp_all_memory) depend(in : value[0]) shared(fence)
    {
      CHECK_EQ(fence, 2);
      fence = 3;
    }
#pragma omp taskwait depend(inout : omp_all_memory)
    CHECK_EQ(fence, 3);
#pragma omp taskwait
  }
  return check_result();
}
