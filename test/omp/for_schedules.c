// Each schedule runs each iteration once, at every trip count around the team size, and hands out
// chunks of the size that it promises.
#include <omp.h>

#include "check.h"

enum { kMost = 1500 };
static unsigned char seen[kMost];
static int owner[kMost];

#define LOOP(name, clause)             \
  static void name(int trip) {         \
    OMP(parallel for clause)           \
    for (int i = 0; i < trip; ++i) {   \
      hit(seen, i);                    \
      owner[i] = omp_get_thread_num(); \
    }                                  \
    CHECK_EACH_ONCE(seen, trip);       \
  }

LOOP(loop_default, )
LOOP(loop_static, schedule(static))
LOOP(loop_static_1, schedule(static, 1))
LOOP(loop_static_7, schedule(static, 7))
LOOP(loop_dynamic, schedule(dynamic))
LOOP(loop_dynamic_7, schedule(dynamic, 7))
LOOP(loop_guided, schedule(guided))
LOOP(loop_guided_7, schedule(guided, 7))
LOOP(loop_auto, schedule(auto))
LOOP(loop_runtime, schedule(runtime))
LOOP(loop_monotonic, schedule(monotonic : dynamic))
LOOP(loop_nonmonotonic, schedule(nonmonotonic : dynamic))
LOOP(loop_nonmonotonic_guided, schedule(nonmonotonic : guided, 2))
LOOP(loop_monotonic_static, schedule(monotonic : static, 2))
LOOP(loop_huge_chunk, schedule(dynamic, 2147483647))
LOOP(loop_huge_guided, schedule(guided, 2147483647))

typedef void (*Loop)(int);
static const Loop kLoops[] = {loop_default,
                              loop_static,
                              loop_static_1,
                              loop_static_7,
                              loop_dynamic,
                              loop_dynamic_7,
                              loop_guided,
                              loop_guided_7,
                              loop_auto,
                              loop_runtime,
                              loop_monotonic,
                              loop_nonmonotonic,
                              loop_nonmonotonic_guided,
                              loop_monotonic_static,
                              loop_huge_chunk,

                              loop_huge_guided};

// A chunk of a dynamic or guided loop stays with one thread from its first iteration to its last.
static void check_chunks_whole(int trip, int chunk) {
  for (int i = 0; i < trip; ++i)
    if (i % chunk) CHECK_EQ(owner[i], owner[i - 1]);
}

int main(void) {
  int most = omp_get_max_threads();
  const int trips[] = {0, 1, 2, most - 1, most, most + 1, 7 * most, 7 * most - 1, 1000, kMost};
  for (unsigned t = 0; t < sizeof trips / sizeof *trips; ++t)
    for (unsigned k = 0; k < sizeof kLoops / sizeof *kLoops; ++k) kLoops[k](trips[t]);
  for (int round = 0; round < 20; ++round) {
    loop_dynamic_7(kMost);
    check_chunks_whole(kMost, 7);
  }
  loop_huge_chunk(kMost);
  check_chunks_whole(kMost, kMost);
  return check_result();
}
