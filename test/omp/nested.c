// test: skip clang<12 it leaves a region with if(0) out of the levels
// Nested regions: levels, ancestors and team sizes seen from inside, and max-active-levels.
#include <omp.h>

#include "check.h"

enum { kOuter = 3, kInner = 2 };

static void check_ancestors(int outer_thread) {
  CHECK_EQ(omp_get_level(), 2);
  CHECK_EQ(omp_get_active_level(), 2);
  CHECK_EQ(omp_get_ancestor_thread_num(0), 0);
  CHECK_EQ(omp_get_ancestor_thread_num(1), outer_thread);
  CHECK_EQ(omp_get_ancestor_thread_num(2), omp_get_thread_num());
  CHECK_EQ(omp_get_team_size(0), 1);
  CHECK_EQ(omp_get_team_size(1), kOuter);
  CHECK_EQ(omp_get_team_size(2), kInner);
  CHECK_EQ(omp_get_ancestor_thread_num(-1), -1);
  CHECK_EQ(omp_get_ancestor_thread_num(3), -1);
  CHECK_EQ(omp_get_team_size(-1), -1);
  CHECK_EQ(omp_get_team_size(3), -1);
}

static void two_levels(void) {
  unsigned char seen[kOuter * kInner] = {0};
#pragma omp parallel num_threads(kOuter)
  {
    int outer = omp_get_thread_num();
#pragma omp parallel num_threads(kInner)
    {
      check_ancestors(outer);
      hit(seen, outer * kInner + omp_get_thread_num());
#pragma omp barrier
    }
    CHECK_EQ(omp_get_thread_num(), outer);
    CHECK_EQ(omp_get_num_threads(), kOuter);
    CHECK_EQ(omp_get_level(), 1);
#pragma omp barrier
  }
  CHECK_EACH_ONCE(seen, kOuter * kInner);
}

static void limited_to_one_level(void) {
#pragma omp parallel num_threads(kOuter)
  {
    int inner_runs = 0;
#pragma omp parallel num_threads(kInner) reduction(+ : inner_runs)
    {
      CHECK_EQ(omp_get_num_threads(), 1);
      CHECK_EQ(omp_get_thread_num(), 0);
      CHECK_EQ(omp_get_level(), 2);
      CHECK_EQ(omp_get_active_level(), 1);
      CHECK_EQ(omp_get_team_size(1), kOuter);
      CHECK_EQ(omp_get_team_size(2), 1);
      CHECK_EQ(omp_in_parallel(), 1);
      ++inner_runs;
    }
    CHECK_EQ(inner_runs, 1);
  }
}

// A serialised level counts as a level, but not as an active one.
static void serialised_between(void) {
#pragma omp parallel num_threads(1)
  {
    CHECK_EQ(omp_get_active_level(), 0);
    CHECK_EQ(omp_in_parallel(), 0);
#pragma omp parallel num_threads(kOuter)
    {
      CHECK_EQ(omp_get_level(), 2);
      CHECK_EQ(omp_get_active_level(), 1);
      CHECK_EQ(omp_get_num_threads(), kOuter);
      CHECK_EQ(omp_get_ancestor_thread_num(1), 0);
      CHECK_EQ(omp_get_team_size(1), 1);
#pragma omp parallel if (0)
      {
        CHECK_EQ(omp_get_level(), 3);
        CHECK_EQ(omp_get_active_level(), 1);
        CHECK_EQ(omp_get_thread_num(), 0);
      }
    }
  }
}

static void recurse(int depth) {
  if (depth == 0) return;
#pragma omp parallel num_threads(2)
  {
    CHECK_EQ(omp_get_num_threads(), 2);
    if (omp_get_thread_num() == 1) recurse(depth - 1);
  }
}

int main(void) {
  omp_set_max_active_levels(1);
  CHECK_EQ(omp_get_max_active_levels(), 1);
  limited_to_one_level();
  omp_set_max_active_levels(2);
  for (int i = 0; i < 10; ++i) two_levels();
  serialised_between();
  omp_set_max_active_levels(6);
  recurse(6);
  CHECK_EQ(omp_get_level(), 0);
  CHECK(omp_get_supported_active_levels() > 0);
  return check_result();
}
