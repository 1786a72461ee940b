// Constructs that need memory of the runtime, met outside of regions, in leagues and in a region of one
// thread: the memory does not grow with their number.
// test: skip clang<21 makes wrong code for chunks and for threads without an assignment
// test: uses threads=1,2
#include <malloc.h>
#include <stdlib.h>

#include "check.h"

enum { kLoops = 5000, kTrip = 8 };

static int last_even(void) {
  static int value;
#pragma omp for lastprivate(conditional : value) schedule(dynamic)
  for (int i = 0; i < kTrip; ++i)
    if (i % 2 == 0) value = i;
  return value;
}

static int sum_of_tasks(void) {
  static int sum;
  sum = 0;
#pragma omp for reduction(task, + : sum) schedule(dynamic)
  for (int i = 0; i < kTrip; ++i)
#pragma omp task in_reduction(+ : sum)
    sum += i;
  return sum;
}

static size_t most;  // that was in use after loops

static int wrong_in(int loops) {
  int wrong = 0;
  for (int i = 0; i < loops; ++i)
    wrong += last_even() != kTrip - 2 || sum_of_tasks() != kTrip * (kTrip - 1) / 2;
  const size_t now = mallinfo2().uordblks;
  if (now > most) most = now;
  return wrong;
}

static int run(int loops) {
  int wrong = wrong_in(loops), in_teams = 0, in_region = 0;
  for (int i = 0; i < loops; ++i)
#pragma omp teams num_teams(1) reduction(+ : in_teams)
    in_teams += wrong_in(1);
#pragma omp parallel num_threads(1) reduction(+ : in_region)
  in_region += wrong_in(loops);
  return wrong + in_teams + in_region;
}

int main(void) {
  CHECK_EQ(run(100), 0);
  const size_t before = most;
  CHECK_EQ(run(kLoops), 0);
  CHECK(most < before + (1 << 16));
  return check_result();
}
