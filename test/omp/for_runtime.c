// schedule(runtime) follows what omp_set_schedule chose, and omp_get_schedule returns it.
#include <omp.h>

#include "check.h"

enum { kMost = 777 };
static unsigned char seen[kMost];
static int owner[kMost];

static void expect(omp_sched_t kind, int chunk) {
  omp_sched_t kind_now;
  int chunk_now;
  omp_get_schedule(&kind_now, &chunk_now);
  CHECK_EQ(kind_now & ~omp_sched_monotonic, kind & ~omp_sched_monotonic);
  if ((kind & ~omp_sched_monotonic) != omp_sched_auto && chunk > 0) CHECK_EQ(chunk_now, chunk);
}

static void loop(int trip) {
#pragma omp parallel for schedule(runtime)
  for (int i = 0; i < trip; ++i) {
    hit(seen, i);
    owner[i] = omp_get_thread_num();
  }
  CHECK_EACH_ONCE(seen, trip);
}

static void loop_of_longs(long trip) {
#pragma omp parallel for schedule(runtime)
  for (unsigned long i = 5; i < 5 + 3UL * (unsigned long)trip; i += 3) hit(seen, (long)(i - 5) / 3);
  CHECK_EACH_ONCE(seen, trip);
}

static void one(omp_sched_t kind, int chunk) {
  omp_set_schedule(kind, chunk);
  expect(kind, chunk);
  for (int trip = 0; trip <= kMost; trip += 1 + trip) {
    loop(trip);
    loop_of_longs(trip);
  }
}

int main(void) {
  const omp_sched_t kinds[] = {omp_sched_static, omp_sched_dynamic, omp_sched_guided,
                               omp_sched_auto};
  for (int k = 0; k < 4; ++k)
    for (int chunk = 0; chunk <= 50; chunk = 2 * chunk + 1) {
      one(kinds[k], chunk);
      one((omp_sched_t)(kinds[k] | omp_sched_monotonic), chunk);
    }
  omp_set_schedule(omp_sched_dynamic, 10);
  loop(kMost);
  for (int i = 0; i < kMost; ++i)
    if (i % 10) CHECK_EQ(owner[i], owner[i - 1]);
  return check_result();
}
