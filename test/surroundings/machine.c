// Runs on a recorded machine. The team has its default size, argument 1, and every construct that
// depends on the shape of a team is right. Argument 2, if any, is the size of inner teams, or `reset`:
// the initial thread is on a place in regions alone.
#define _GNU_SOURCE
#include <omp.h>
#include <sched.h>
#include <unistd.h>

#include "../omp/check.h"

enum { kIterations = 613, kMostThreads = 512 };
static unsigned char seen[8][kIterations];
static int told[kMostThreads];

// Each loop has a number and so its own counts: all loops run in one region, after each other.
#define LOOP(number, ...) \
  OMP(for __VA_ARGS__)    \
  for (int i = 0; i < kIterations; ++i) hit(seen[number], i)

static void loops(void) {
  LOOP(0, schedule(static));
  LOOP(1, schedule(static, 3));
  LOOP(2, schedule(dynamic, 2));
  LOOP(3, schedule(monotonic : dynamic, 2));
  LOOP(4, schedule(guided));
  LOOP(5, schedule(runtime));
  LOOP(6, schedule(monotonic : runtime) nowait);
}

static void ordered_loop(void) {
  static int next;
#pragma omp single
  next = 0;
#pragma omp for ordered schedule(dynamic)
  for (int i = 0; i < kIterations; ++i) {
#pragma omp ordered
    CHECK_EQ(next++, i);
    hit(seen[7], i);
  }
}

// After a barrier all threads see what each wrote before it.
static void meetings(int threads) {
  int me = omp_get_thread_num();
  for (int round = 1; round <= 3; ++round) {
    told[me] = round;
#pragma omp barrier
    for (int i = 0; i < threads; ++i) CHECK_EQ(told[i], round);
#pragma omp barrier
  }
  int copied = -1;
#pragma omp single copyprivate(copied)
  copied = 1000 + threads;
  CHECK_EQ(copied, 1000 + threads);
}

static void flat(int wanted) {
  long sum = 0;
  int singles = 0;
#pragma omp parallel reduction(+ : sum)
  {
    int threads = omp_get_num_threads();
    CHECK_EQ(threads, wanted);
    loops();
    ordered_loop();
    meetings(threads);
    sum += omp_get_thread_num() + 1;
#pragma omp single nowait
    ++singles;
  }
  CHECK_EQ(sum, (long)wanted * (wanted + 1) / 2);
  CHECK_EQ(singles, 1);
  for (int loop = 0; loop < 8; ++loop) CHECK_EACH_ONCE(seen[loop], kIterations);
}

static void nested(int outer, int inner) {
  int members = 0;
  long sum = 0;
#pragma omp parallel num_threads(outer) reduction(+ : members, sum)
  {
    int mine = 0;
    long part = 0;
#pragma omp parallel num_threads(inner) reduction(+ : mine, part)
    {
      ++mine;
#pragma omp for schedule(dynamic)
      for (int i = 0; i < kIterations; ++i) part += i;
    }
    CHECK_EQ(mine, inner);
    members += mine, sum += part;
  }
  CHECK_EQ(members, outer * inner);
  CHECK_EQ(sum, (long)outer * kIterations * (kIterations - 1) / 2);
}

// A recorded machine's CPUs are not this machine's, so no thread is bound.
static void check_unbound(void) {
  cpu_set_t process, mine;
  CHECK_EQ(sched_getaffinity(getppid(), sizeof process, &process), 0);
#pragma omp parallel private(mine)
  {
    CHECK_EQ(sched_getaffinity(0, sizeof mine, &mine), 0);
    CHECK(CPU_EQUAL(&mine, &process));
  }
}

static void check_reset(void) {
  int off = 0;
  for (int size = 1; size < 6; ++size) {
#pragma omp parallel num_threads(size) reduction(+ : off)
    off += omp_get_place_num() < 0;
    CHECK_EQ(off, 1);  // the region of one
    CHECK_EQ(omp_get_place_num(), -1);
  }
}

int main(int count, char** words) {
  if (count < 2) return 2;
  int threads = atoi(words[1]);
  CHECK_EQ(omp_get_max_threads(), threads);
  const int resets = count > 2 && strcmp(words[2], "reset") == 0;
  if (resets) check_reset();
  if (count > 2 && !resets) {
    omp_set_max_active_levels(2);
    for (int round = 0; round < 2; ++round) nested(threads, atoi(words[2]));
  } else {
    for (int round = 0; round < 2; ++round) flat(threads);
    check_unbound();
  }
  return check_result();
}
