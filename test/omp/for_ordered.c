// Ordered regions run in the order of the iterations, under every schedule, also when only some
// iterations reach their ordered region.
// test: variant counted VICINO_STATS=true
#include <omp.h>

#include "check.h"

enum { kTrip = 300 };

#define ORDERED(name, clause)                         \
  static void name(void) {                            \
    int next = 0, runs = 0;                           \
    OMP(parallel for ordered clause)                  \
    for (int i = 0; i < kTrip; ++i) {                 \
      __atomic_fetch_add(&runs, 1, __ATOMIC_RELAXED); \
      OMP(ordered) {                                  \
        CHECK_EQ(next, i);                            \
        next = i + 1;                                 \
      }                                               \
    }                                                 \
    CHECK_EQ(next, kTrip);                            \
    CHECK_EQ(runs, kTrip);                            \
  }                                                   \
  static void some_##name(int every, int rest) {      \
    int previous = -1, count = 0;                     \
    OMP(parallel for ordered clause)                  \
    for (long i = kTrip; i > 0; --i) {                \
      if (i % every != rest) continue;                \
      OMP(ordered) {                                  \
        CHECK(previous == -1 || i < previous);        \
        previous = (int)i;                            \
        ++count;                                      \
      }                                               \
    }                                                 \
    CHECK_EQ(count, kTrip / every);                   \
  }
ORDERED(with_default, )
ORDERED(with_static, schedule(static))
ORDERED(with_static_1, schedule(static, 1))
ORDERED(with_static_7, schedule(static, 7))
ORDERED(with_dynamic, schedule(dynamic))
ORDERED(with_dynamic_4, schedule(dynamic, 4))
ORDERED(with_guided, schedule(guided))
ORDERED(with_guided_3, schedule(guided, 3))
ORDERED(with_auto, schedule(auto))
ORDERED(with_runtime, schedule(runtime))

#define BOTH(name)    \
  name();             \
  some_##name(3, 0);  \
  some_##name(10, 9); \
  some_##name(100, 50)

static void every_schedule(void) {
  BOTH(with_default);
  BOTH(with_static);
  BOTH(with_static_1);
  BOTH(with_static_7);
  BOTH(with_dynamic);
  BOTH(with_dynamic_4);
  BOTH(with_guided);
  BOTH(with_guided_3);
  BOTH(with_auto);
  BOTH(with_runtime);
}

// Several ordered loops of one region without barriers between them: each has its own order.
static void consecutive(void) {
  int next[20] = {0};
#pragma omp parallel
  for (int k = 0; k < 20; ++k) {
#pragma omp for ordered schedule(dynamic, 2) nowait
    for (unsigned i = 0; i < 50; ++i) {
#pragma omp ordered
      {
        CHECK_EQ(next[k], i);
        ++next[k];
      }
    }
  }
  for (int k = 0; k < 20; ++k) CHECK_EQ(next[k], 50);
}

int main(void) {
  every_schedule();
  omp_set_schedule(omp_sched_guided, 2);
  BOTH(with_runtime);
  consecutive();
  return check_result();
}
