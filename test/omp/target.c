// Target regions on the host: how variables arrive, what the region is a part of, and its clauses.
//
// gcc makes each region a function, with an initial task of its own. Without offloading clang leaves
// the region's code where it is, so what the region is a part of is checked for gcc alone.
#include <omp.h>
#include <stdint.h>

#include "check.h"

#ifdef __clang__
enum { kHasInitialTask = 0 };
#else
enum { kHasInitialTask = 1 };
#endif

typedef struct {
  char first;
  double values[3];
} Mixed;

static int declared = 5;
#pragma omp declare target to(declared)

#pragma omp declare target
static int doubled(int value) { return 2 * value + declared - 5; }
#pragma omp end declare target

static void maps(void) {
  int to = 1, from = 0, both = 3, allocated = 4, implicit = 6, array[10] = {0};
  int* part = array + 2;
#pragma omp target map(to : to) map(from : from) map(tofrom : both, array) map(alloc : allocated)
  {
    from = to + both + doubled(implicit);
    both = 7;
    allocated = 1;
    for (int i = 0; i < 10; ++i) array[i] = i * i;
  }
  CHECK_EQ(from, 16);
  CHECK_EQ(both, 7);
#pragma omp target map(always, tofrom : part[1 : 4])
  for (int i = 1; i < 5; ++i) part[i] += 100;
  for (int i = 0; i < 10; ++i) CHECK_EQ(array[i], i * i + (i >= 3 && i < 7 ? 100 : 0));
}

// The region's copies are aligned as their types ask for, and no write to them gets out.
static void privates(void) {
  char small = 'a', odd[3] = "xy";
  double number = 0.5;
  Mixed mixed = {'b', {1, 2, 3}};
  _Alignas(64) int wide[5] = {1, 2, 3, 4, 5};
  static char large[5000];
  char copied[5000];
  memset(copied, 'x', sizeof copied);
  int misaligned = 0, sum = 0;
#pragma omp target firstprivate(small, odd, number, mixed, wide, copied) \
    map(tofrom : misaligned, sum)
  {
    // The compiler must not know where these point.
    void* volatile of_odd = odd, * volatile of_number = &number, * volatile of_mixed = &mixed;
    void* volatile of_wide = wide;
    misaligned += of_odd == NULL || (uintptr_t)of_number % _Alignof(double) != 0;
    misaligned += (uintptr_t)of_mixed % _Alignof(Mixed) != 0;
    misaligned += (uintptr_t)of_wide % _Alignof(int) != 0;
    sum = small + (int)(2 * number) + (int)mixed.values[2] + wide[4] + copied[4999];
    small = 0;
    number = 0;
    mixed.values[2] = 0;
    wide[4] = 0;
    memset(copied, 0, sizeof copied);
  }
  CHECK_EQ(misaligned, 0);
  CHECK_EQ(sum, 'a' + 1 + 3 + 5 + 'x');
  CHECK_EQ(small, 'a');
  CHECK(number == 0.5 && mixed.values[2] == 3);
  CHECK_EQ(wide[4], 5);
  memset(large, 'x', sizeof large);
  CHECK_EQ(memcmp(copied, large, sizeof large), 0);
  int own = 1;
#pragma omp target private(own)
  own = 2;
  CHECK_EQ(own, 1);
}

static void clauses(void) {
  int on_host = -1, far = 0;
#pragma omp target if (0) map(from : on_host)
  on_host = omp_is_initial_device();
  CHECK_EQ(on_host, 1);
#pragma omp target device(omp_get_initial_device()) map(from : on_host)
  on_host = omp_is_initial_device();
  CHECK_EQ(on_host, 1);
#pragma omp target device(3) map(from : far)  // no such device: the host stands in
  far = 1;
  CHECK_EQ(far, 1);
  if (!kHasInitialTask) return;
  int limit = 0, most = 0, outside = omp_get_thread_limit();
#pragma omp target thread_limit(3) map(from : limit) map(tofrom : most)
  {
    limit = omp_get_thread_limit();
#pragma omp parallel num_threads(8) reduction(max : most)
    most = omp_get_num_threads();
  }
  CHECK_EQ(limit, 3);
  CHECK(most >= 1 && most <= 3);
  CHECK_EQ(omp_get_thread_limit(), outside);
}

// A region begins with the ICVs that the program began with, and what it sets stays inside.
static void icvs(int initial) {
  int most = -1, outside = omp_get_max_threads();
  omp_set_num_threads(initial + 2);
#pragma omp target map(from : most)
  {
    most = omp_get_max_threads();
    omp_set_num_threads(initial + 5);
  }
  CHECK_EQ(most, initial);
  CHECK_EQ(omp_get_max_threads(), initial + 2);
  omp_set_num_threads(outside);
}

// A region in a team: its worksharing and its barriers are its own, its parallel regions are
// outermost ones.
static void inside_a_team(void) {
  int most = omp_get_max_threads();
#pragma omp parallel
  {
    int before = omp_get_thread_num(), members = omp_get_num_threads();
    int level = -1, active = -1, id = -1, team = -1, iterations = 0, threads = 0, loops = 0;
#pragma omp target map(tofrom : level, active, id, team, iterations, threads, loops)
    {
      level = omp_get_level();
      active = omp_in_parallel();
      id = omp_get_thread_num();
      team = omp_get_num_threads();
#pragma omp for
      for (int i = 0; i < 100; ++i) ++iterations;
      omp_set_num_threads(2);
#pragma omp parallel reduction(+ : threads, loops)
      {
        threads += omp_get_level() == 1 && omp_get_ancestor_thread_num(0) == 0;
#pragma omp for
        for (int i = 0; i < 100; ++i) ++loops;
      }
    }
    CHECK_EQ(level, 0);
    CHECK_EQ(active, 0);
    CHECK_EQ(id, 0);
    CHECK_EQ(team, 1);
    CHECK_EQ(iterations, 100);
    CHECK(threads == 1 || threads == 2);
    CHECK_EQ(loops, 100);
    CHECK_EQ(omp_get_thread_num(), before);
    CHECK_EQ(omp_get_num_threads(), members);
    CHECK_EQ(omp_get_max_threads(), most);
#pragma omp barrier
  }
}

// The region ends when its tasks have ended, and a task in a team may have one.
static void with_tasks(void) {
  int done = 0;
#pragma omp target map(tofrom : done)
  for (int i = 0; i < 50; ++i)
#pragma omp task shared(done)
#pragma omp atomic
    ++done;
  if (!kHasInitialTask) {
#pragma omp taskwait
  }
  CHECK_EQ(done, 50);
  done = 0;
#pragma omp parallel
#pragma omp for
  for (int i = 0; i < 60; ++i)
#pragma omp task shared(done)
  {
#pragma omp target map(tofrom : done)
#pragma omp atomic
    ++done;
  }
  CHECK_EQ(done, 60);
}

int main(void) {
  const int initial = omp_get_max_threads();
  for (int round = 0; round < 5; ++round) {
    maps();
    privates();
    clauses();
    if (kHasInitialTask) icvs(initial);
    if (kHasInitialTask) inside_a_team();
    with_tasks();
  }
  return check_result();
}
