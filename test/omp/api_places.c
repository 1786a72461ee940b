// Places and bindings: the queries agree with each other, with and without binding.
// test: variant threads OMP_PLACES=threads OMP_PROC_BIND=close
// test: variant cores_spread OMP_PLACES=cores OMP_PROC_BIND=spread
// test: variant sockets OMP_PLACES=sockets OMP_PROC_BIND=true
// test: variant primary OMP_PLACES=threads OMP_PROC_BIND=primary
// test: variant off OMP_PROC_BIND=false
#define _GNU_SOURCE
#include <omp.h>
#include <sched.h>
#include <string.h>

#include "check.h"

static int procs_of(int place, int* ids) {
  int n = omp_get_place_num_procs(place);
  CHECK(n >= 1 && n <= CPU_SETSIZE);
  omp_get_place_proc_ids(place, ids);
  for (int i = 0; i < n; ++i) CHECK(ids[i] >= 0 && ids[i] < CPU_SETSIZE);
  return n;
}

static void check_partition(int places) {
  int n = omp_get_partition_num_places();
  CHECK(n >= 0 && n <= places);
  if (n <= 0) return;
  int numbers[CPU_SETSIZE];
  omp_get_partition_place_nums(numbers);
  for (int i = 0; i < n; ++i) CHECK(numbers[i] >= 0 && numbers[i] < places);
}

// A bound thread runs on a processor of its place.
static void check_bound(int places) {
  int place = omp_get_place_num(), ids[CPU_SETSIZE], found = 0;
  CHECK(place >= 0 && place < places);
  if (place < 0) return;
  int n = procs_of(place, ids), here = sched_getcpu();
  for (int i = 0; i < n; ++i) found |= ids[i] == here;
  CHECK(found);
}

// The processors that the initial thread tells of.
static void describe(char text[200]) {
  CHECK(omp_capture_affinity(text, 200, "%A") < 200);
}

int main(void) {
  char before[200], after[200];
  describe(before);
  int places = omp_get_num_places(), ids[CPU_SETSIZE];
  int bound = omp_get_proc_bind() != omp_proc_bind_false;
  for (int p = 0; p < places; ++p) procs_of(p, ids);
  CHECK_EQ(omp_get_place_num_procs(-1), 0);
  CHECK_EQ(omp_get_place_num_procs(places), 0);
  if (bound) CHECK(places >= 1);
  if (bound) check_bound(places);  // the initial thread, before its first region
#pragma omp parallel
  {
    check_partition(places);
    if (bound && omp_in_parallel()) check_bound(places);
  }
  describe(after);
  if (bound) CHECK(strcmp(before, after) == 0);
  return check_result();
}
