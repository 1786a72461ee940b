// The tests of forall.c and forall_templates.cpp: every strategy, in regions of all sizes, and the
// predicted fraction.
#ifndef FORALL_TEST_H
#define FORALL_TEST_H
#include <omp.h>
#include <stdint.h>
#include <unistd.h>
#include <vicino/forall.h>

#include "../omp/check.h"

enum { kMost = 2000 };
static unsigned char seen[kMost];

#define FRACTIONS 4
static const double kFractions[FRACTIONS] = {0, 0.3, 0.5, 1};

/* Each strategy needs a loop of its own in the source, for its name is a word of the macro. */
#define STRATEGY_TEST(name, strategy)                                       \
  static void name(int lo, int hi, double f) {                              \
    OMP(parallel) {                                                         \
      const int tid = omp_get_thread_num(), p = omp_get_num_threads();      \
      for (int round = 0; round < 3; ++round) {                             \
        FORALL_BEGIN(strategy, tid, p, lo, hi, begin, end, f)               \
        CHECK(begin < end);                                                 \
        for (int i = begin; i < end; ++i) hit(seen, i - lo);                \
        FORALL_END(strategy, tid, begin, end)                               \
        /* After the barrier all iterations have run. */                    \
        for (int i = 0; i < hi - lo; ++i)                                   \
          CHECK_EQ(__atomic_load_n(&seen[i], __ATOMIC_RELAXED), round + 1); \
        OMP(barrier)                                                        \
      }                                                                     \
      FORALL_BEGIN(strategy, tid, p, hi, lo, begin, end, f)                 \
      CHECK(lo == hi || lo > hi);                                           \
      FORALL_END_NOWAIT()                                                   \
    }                                                                       \
    for (int i = 0; i < hi - lo; ++i) seen[i] -= 2;                         \
    CHECK_EACH_ONCE(seen, hi - lo);                                         \
  }

STRATEGY_TEST(run_static, static)
STRATEGY_TEST(run_static_chunked, static_chunked)
STRATEGY_TEST(run_dynamic, dynamic)
STRATEGY_TEST(run_dynamic_shared, dynamic_shared)
STRATEGY_TEST(run_guided, guided)
STRATEGY_TEST(run_trapezoid, trapezoid)
STRATEGY_TEST(run_factoring, factoring)
STRATEGY_TEST(run_fixed_size, fixed_size)
STRATEGY_TEST(run_steal, steal)
STRATEGY_TEST(run_ich, ich)
STRATEGY_TEST(run_nich, nich)
STRATEGY_TEST(run_hierarchical, hierarchical)
STRATEGY_TEST(run_mixed, mixed)
STRATEGY_TEST(run_mixed_variable, mixed_variable)
STRATEGY_TEST(run_staggered, staggered)
STRATEGY_TEST(run_vsched, vsched)
STRATEGY_TEST(run_weighted, weighted)
STRATEGY_TEST(run_mixed_8, "mixed,chunk=8")
STRATEGY_TEST(run_staggered_previous, "Staggered, 3, f=previous")

typedef struct {
  const char* name;
  void (*run)(int lo, int hi, double f);
} Strategy;

static const Strategy kStrategies[] = {{"static", run_static},
                                       {"static_chunked", run_static_chunked},
                                       {"dynamic", run_dynamic},
                                       {"dynamic_shared", run_dynamic_shared},
                                       {"guided", run_guided},
                                       {"trapezoid", run_trapezoid},
                                       {"factoring", run_factoring},
                                       {"fixed_size", run_fixed_size},
                                       {"steal", run_steal},
                                       {"ich", run_ich},
                                       {"nich", run_nich},
                                       {"hierarchical", run_hierarchical},
                                       {"mixed", run_mixed},
                                       {"mixed_variable", run_mixed_variable},
                                       {"staggered", run_staggered},
                                       {"vsched", run_vsched},
                                       {"weighted", run_weighted},
                                       {"mixed,8", run_mixed_8},
                                       {"staggered,3,f=previous", run_staggered_previous}};
enum { kStrategyCount = sizeof kStrategies / sizeof *kStrategies };

static inline void every_strategy(void) {
  static const int trips[] = {0, 1, 2, 7, 100, kMost};
  for (int s = 0; s < kStrategyCount; ++s)
    for (int t = 0; t < 6; ++t)
      for (int f = 0; f < FRACTIONS; ++f) {
        kStrategies[s].run(0, trips[t], kFractions[f]);
        kStrategies[s].run(-99, trips[t] - 99, kFractions[f]);
      }
}

/* A schedule that is added to the registry has to be added here, too. */
static inline void no_strategy_is_missing(void) {
  for (size_t i = 0; vicino_schedule_name(i) != NULL; ++i) {
    int known = 0;
    for (int s = 0; s < kStrategyCount; ++s)
      known |= strcmp(kStrategies[s].name, vicino_schedule_name(i)) == 0;
    if (!known) fprintf(stderr, "no FORALL with %s\n", vicino_schedule_name(i));
    CHECK(known);
  }
}

/* The static parts lie where the strategy puts them and are as large as f says. */
static inline void fractions_are_kept(void) {
  static int owner[1000];
  for (int k = 0; k < FRACTIONS; ++k) {
    const double f = kFractions[k];
    int team = 1;
#pragma omp parallel
    {
      const int tid = omp_get_thread_num(), p = omp_get_num_threads();
      FORALL_BEGIN(mixed, tid, p, 0, 1000, begin, end, f)
      for (int i = begin; i < end; ++i) owner[i] = tid;
      FORALL_END()
      if (tid == 0) team = p;
    }
    const int fixed = team == 1 ? 0 : (int)(1000 * f + 0.5);
    for (int i = 0; i < fixed; ++i) {
      const int longer = fixed % team, size = fixed / team;
      const int split = longer * (size + 1);
      CHECK_EQ(owner[i], i < split ? i / (size + 1) : longer + (i - split) / size);
    }
  }
}

/* An argument of FORALL. Every thread asks before any begins the loop, which changes the answer. */
static inline double ask(double* answer) {
  *answer = vicino_predict_static_fraction();
#pragma omp barrier
  return *answer;
}

/* Returns the prediction that the threads got inside the loop, or -1 if theirs differ. */
static inline double learning_loop(void) {
  double told[2] = {-1, -1};
#pragma omp parallel num_threads(2)
  {
    const int tid = omp_get_thread_num(), p = omp_get_num_threads();
    FORALL_BEGIN(staggered, tid, p, 0, 4, begin, end, ask(&told[tid]))
    for (int i = begin; i < end; ++i) usleep(100);
    FORALL_END()
  }
  return told[0] == told[1] ? told[0] : -1;
}

/* The prediction is 0.5 while nothing is known. Later it is a learned value, equal inside and
 * outside the loop. The unit tests of static_fraction.hpp check how it is computed. */
static inline void predicts(void) {
  double before = -1;
  for (int round = 0; round < 12; ++round) {
    before = vicino_predict_static_fraction();
    const double inside = learning_loop();
    if (round == 0) CHECK(before == 0.5 && inside == 0.5);
    CHECK(before >= 0 && before <= 1);
    if (round > 0) CHECK(before == inside);
  }
  CHECK(before != 0.5);
}

static inline void predicts_alone(void) {
  double inside = -1;
  for (int round = 0; round < 3; ++round) {
    FORALL_BEGIN(mixed, 0, 1, 0, 4, begin, end, inside = vicino_predict_static_fraction())
    CHECK(begin == 0 && end == 4);
    FORALL_END()
    CHECK(inside == 0.5);
  }
}

/* A thread that breaks out of the loop gives up the rest of its iterations; the team goes on. */
static inline void breaks_off(void) {
  static unsigned char counts[100];
  int late = 0;
#pragma omp parallel
  {
    const int tid = omp_get_thread_num(), p = omp_get_num_threads();
    for (int round = 0; round < 20; ++round) {
      FORALL_BEGIN("staggered,chunk=1", tid, p, 0, 100, begin, end, 0.25)
      if (begin >= 0) break;
      if (end > 0) __atomic_store_n(&late, 1, __ATOMIC_RELAXED);
      FORALL_END()
      FORALL_BEGIN("dynamic,1", tid, p, 0, 100, begin, end, 0)
      for (int i = begin; i < end; ++i) {
        if (i % 2) continue;
        hit(counts, i);
      }
      FORALL_END()
    }
  }
  CHECK_EQ(late, 0);
  for (int i = 0; i < 100; ++i) CHECK_EQ(counts[i], i % 2 ? 0 : 20);
}

/* The bounds keep their types; the loops here are outside any region. */
static inline void bounds_keep_their_type(void) {
  size_t sum = 0;
  FORALL_BEGIN(staggered, 0, 1, 0, (size_t)10, begin, end, 1)
  CHECK_EQ(sizeof begin, sizeof(size_t));
  for (size_t i = begin; i < end; ++i) sum += i;
  FORALL_END()
  FORALL_BEGIN(ich, 0, 1, INT64_MIN, INT64_MAX, first, last, 0)
  CHECK(first == INT64_MIN && last == INT64_MAX);
  FORALL_END()
  CHECK_EQ(sum, 45);
}

static inline void nested_loops(void) {
  static unsigned char cells[30 * 40];
#pragma omp parallel
  {
    const int tid = omp_get_thread_num(), p = omp_get_num_threads();
    FORALL_BEGIN(mixed, tid, p, 0, 30, top, bottom, 0.5)
    for (int row = top; row < bottom; ++row)
#pragma omp parallel num_threads(2)
    {
      const int inner = omp_get_thread_num(), q = omp_get_num_threads();
      FORALL_BEGIN(staggered, inner, q, 0, 40, left, right, 0.5)
      for (int column = left; column < right; ++column) hit(cells, row * 40 + column);
      FORALL_END()
    }
    FORALL_END()
  }
  CHECK_EACH_ONCE(cells, 30 * 40);
}

static inline int run_forall_tests(void) {
  every_strategy();
  no_strategy_is_missing();
  fractions_are_kept();
  predicts();
  predicts_alone();
  breaks_off();
  bounds_keep_their_type();
  nested_loops();
  omp_set_max_active_levels(2);
  nested_loops();
  return check_result();
}

#endif
