// Control variables belong to a task's data environment: a region inherits them from the thread
// that starts it, and what a thread sets inside stays inside.
#include <omp.h>

#include "check.h"

static int ran;

static void set_inside_stays_inside(void) {
  omp_set_num_threads(4);
  omp_set_schedule(omp_sched_dynamic, 7);
  omp_set_dynamic(0);
#pragma omp parallel num_threads(2)
  {
    omp_sched_t kind;
    int chunk;
    omp_get_schedule(&kind, &chunk);
    CHECK_EQ(kind, omp_sched_dynamic);
    CHECK_EQ(chunk, 7);
    CHECK_EQ(omp_get_max_threads(), 4);
    int mine = 2 + omp_get_thread_num();
    omp_set_num_threads(mine);
    omp_set_schedule(omp_sched_guided, mine);
#pragma omp atomic
    ++ran;
#pragma omp barrier
    omp_get_schedule(&kind, &chunk);
    CHECK_EQ(kind, omp_sched_guided);
    CHECK_EQ(chunk, mine);
    CHECK_EQ(omp_get_max_threads(), mine);
  }
  omp_sched_t kind;
  int chunk;
  omp_get_schedule(&kind, &chunk);
  CHECK_EQ(kind, omp_sched_dynamic);
  CHECK_EQ(chunk, 7);
  CHECK_EQ(omp_get_max_threads(), 4);
}

static void nested_inherits(void) {
  omp_set_max_active_levels(2);
  omp_set_num_threads(2);
#pragma omp parallel
  {
    int mine = 2 + omp_get_thread_num();
    omp_set_num_threads(mine);
#pragma omp parallel
    {
      CHECK_EQ(omp_get_num_threads(), mine);
      CHECK_EQ(omp_get_max_threads(), mine);
      omp_set_num_threads(9);
    }
    CHECK_EQ(omp_get_max_threads(), mine);
  }
  CHECK_EQ(omp_get_max_threads(), 2);
}

// A team that is used again must not remember what the last region set.
static void next_region_starts_afresh(void) {
  omp_set_num_threads(3);
  for (int round = 0; round < 5; ++round) {
#pragma omp parallel num_threads(3)
    {
      CHECK_EQ(omp_get_max_threads(), 3);
      CHECK_EQ(omp_get_dynamic(), 0);
      omp_set_num_threads(11 + round);
      omp_set_dynamic(1);
    }
  }
  CHECK_EQ(omp_get_dynamic(), 0);
}

static void serialised_region(void) {
  omp_set_num_threads(5);
#pragma omp parallel if (0)
  {
    CHECK_EQ(omp_get_max_threads(), 5);
    omp_set_num_threads(2);
    CHECK_EQ(omp_get_max_threads(), 2);
  }
  CHECK_EQ(omp_get_max_threads(), 5);
}

int main(void) {
  set_inside_stays_inside();
  CHECK_EQ(ran, 2);
  nested_inherits();
  next_region_starts_afresh();
  serialised_region();
  return check_result();
}
