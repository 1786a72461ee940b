// Under a monotonic schedule each thread sees its iterations in increasing order. Ordered loops and
// static loops are monotonic without the modifier.
#include <omp.h>

#include "check.h"

#define MONOTONIC(name, clause)        \
  static void name(void) {             \
    OMP(parallel) {                    \
      int previous = -1;               \
      OMP(for clause)                  \
      for (int i = 0; i < 3000; ++i) { \
        CHECK(i > previous);           \
        previous = i;                  \
      }                                \
    }                                  \
  }
MONOTONIC(monotonic_static, schedule(monotonic : static, 2))
MONOTONIC(plain_static, schedule(static, 3))
MONOTONIC(monotonic_dynamic, schedule(monotonic : dynamic))
MONOTONIC(monotonic_dynamic_5, schedule(monotonic : dynamic, 5))
MONOTONIC(monotonic_guided, schedule(monotonic : guided))
MONOTONIC(monotonic_runtime, schedule(monotonic : runtime))
MONOTONIC(ordered_dynamic, ordered schedule(dynamic))

int main(void) {
  omp_set_schedule(omp_sched_dynamic | omp_sched_monotonic, 2);
  for (int round = 0; round < 10; ++round) {
    monotonic_static();
    plain_static();
    monotonic_dynamic();
    monotonic_dynamic_5();
    monotonic_guided();
    monotonic_runtime();
    ordered_dynamic();
  }
  return check_result();
}
