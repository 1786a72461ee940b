/* loops.c: worksharing loops: each iteration runs once, whatever the schedule and the type of the counter. */
#include <limits.h>
#include <omp.h>
#include <string.h>

#include "check.h"

#define TEXT(x) #x
#define OMP(...) _Pragma(TEXT(omp __VA_ARGS__))

enum { kTrip = 600 };
static int hits[kTrip];

static void check_hits(const char* name) {
  int wrong = 0;
  for (int i = 0; i < kTrip; ++i) wrong += hits[i] != 1;
  memset(hits, 0, sizeof hits);
  check(name, wrong == 0, "%d of %d iterations did not run once", wrong, kTrip);
}

/* The counter runs from `first` in steps of 3. */
#define UP(name, type, first, ...)                                                \
  do {                                                                            \
    const type begin = (first), end = begin + (type)3 * kTrip;                    \
    OMP(parallel for num_threads(kTeam) __VA_ARGS__)                              \
    for (type i = begin; i < end; i += 3) OMP(atomic) hits[(i - begin) / 3] += 1; \
    check_hits(name);                                                             \
  } while (0)
#define DOWN(name, type, last, ...)                                                   \
  do {                                                                                \
    const type begin = (last) + (type)3 * (kTrip - 1);                                \
    OMP(parallel for num_threads(kTeam) __VA_ARGS__)                                  \
    for (type i = begin; i >= (last); i -= 3) OMP(atomic) hits[(begin - i) / 3] += 1; \
    check_hits(name);                                                                 \
  } while (0)

static void types_and_schedules(void) {
  UP("static", int, -100, schedule(static));
  UP("static,7", unsigned, UINT_MAX - 2000, schedule(static, 7));
  UP("static of 64 bits", long, LONG_MIN + 5, schedule(static));
  UP("dynamic", int, -100, schedule(dynamic));
  UP("dynamic,5", unsigned, UINT_MAX - 2000, schedule(dynamic, 5));
  UP("guided", long, LONG_MIN + 5, schedule(guided));
  UP("guided,4", unsigned long, ULONG_MAX - 2000, schedule(guided, 4));
  UP("monotonic dynamic", long, 7, schedule(monotonic : dynamic, 2));
  UP("monotonic guided", unsigned long, 7, schedule(monotonic : guided));
  UP("nonmonotonic dynamic", unsigned long, ULONG_MAX - 2000, schedule(nonmonotonic : dynamic));
  UP("auto", int, 0, schedule(auto));
  UP("runtime", int, 0, schedule(runtime));
  UP("runtime of 64 bits", unsigned long, 1, schedule(monotonic : runtime));
  DOWN("static, downwards", int, -900, schedule(static, 2));
  DOWN("dynamic, downwards", long, -900, schedule(dynamic, 2));
  DOWN("guided, downwards", int, INT_MIN + 5, schedule(guided));
}

static void chosen_at_run_time(void) {
  static const struct {
    const char* name;
    omp_sched_t kind;
    int chunk;
  } kAll[] = {{"omp_set_schedule(static)", omp_sched_static, 0},
              {"omp_set_schedule(static, 9)", omp_sched_static, 9},
              {"omp_set_schedule(dynamic, 3)", omp_sched_dynamic, 3},
              {"omp_set_schedule(guided, 2)", omp_sched_guided, 2},
              {"omp_set_schedule(auto)", omp_sched_auto, 0}};
  for (unsigned k = 0; k < sizeof kAll / sizeof *kAll; ++k) {
    omp_set_schedule(kAll[k].kind, kAll[k].chunk);
    UP(kAll[k].name, long, -5, schedule(runtime));
  }
}

/* Loops in one region, without a barrier between them: more than a ring of loops has room for. */
static void inside_a_region(void) {
  enum { kLoops = 40 };
  static int counts[kLoops];
#pragma omp parallel num_threads(kTeam)
  for (int loop = 0; loop < kLoops; ++loop) {
#pragma omp for schedule(dynamic, 3) nowait
    for (int i = 0; i < 50; ++i) {
#pragma omp atomic
      ++counts[loop];
    }
  }
  int wrong = 0;
  for (int loop = 0; loop < kLoops; ++loop) wrong += counts[loop] != 50;
  check("many loops with nowait", wrong == 0, "%d of %d loops are wrong", wrong, kLoops);

  int last = -1, sum = 0;
#pragma omp parallel for num_threads(kTeam) schedule(dynamic) collapse(2) lastprivate(last) \
    reduction(+ : sum)
  for (int a = 0; a < 20; ++a)
    for (int b = 0; b < 30; ++b) {
      last = 100 * a + b;
      sum += 1;
    }
  check_number("collapse", sum, 600);
  check_number("lastprivate", last, 1929);
}

#define ORDERED(name, type, ...)                                                         \
  do {                                                                                   \
    long next = 0, wrong = 0;                                                            \
    OMP(parallel for num_threads(kTeam) ordered __VA_ARGS__)                             \
    for (type i = 0; i < 200; ++i) {                                                     \
      dawdle();                                                                          \
      OMP(ordered) {                                                                     \
        wrong += next != (long)i;                                                        \
        ++next;                                                                          \
      }                                                                                  \
    }                                                                                    \
    check(name, wrong == 0 && next == 200, "%ld of %ld were out of order", wrong, next); \
  } while (0)

static void in_order(void) {
  ORDERED("ordered static", int, schedule(static, 3));
  ORDERED("ordered dynamic", long, schedule(dynamic, 2));
  ORDERED("ordered guided", unsigned long, schedule(guided));
  ORDERED("ordered runtime", int, schedule(runtime));
}

/* Each cell needs its left and upper neighbours: the last has the binomial coefficient of 14 over 7. */
#define DOACROSS(name, type, ...)                                            \
  do {                                                                       \
    static long cell[8][8];                                                  \
    OMP(parallel for num_threads(kTeam) ordered(2) __VA_ARGS__)              \
    for (type a = 0; a < 8; ++a)                                             \
      for (type b = 0; b < 8; ++b) {                                         \
        OMP(ordered depend(sink : a - 1, b) depend(sink : a, b - 1))         \
        dawdle();                                                            \
        cell[a][b] = a == 0 || b == 0 ? 1 : cell[a - 1][b] + cell[a][b - 1]; \
        OMP(ordered depend(source))                                          \
      }                                                                      \
    check_number(name, cell[7][7], 3432);                                    \
  } while (0)

static void across(void) {
  DOACROSS("doacross", int, schedule(static, 1));
  DOACROSS("doacross, dynamic", unsigned long, schedule(dynamic));
  DOACROSS("doacross, runtime", long, schedule(runtime));
}

void test_loops(void) {
  types_and_schedules();
  chosen_at_run_time();
  inside_a_region();
  in_order();
  across();
}
