// Loops that the tuner chooses for run each iteration once, whatever it tries: other schedules,
// fewer threads, a site that is left alone and looked at again.
// test: variant fixed VICINO_EXPLORE=false
// test: variant counted VICINO_STATS=true
// test: variant cancelling OMP_CANCELLATION=true
#include <omp.h>

#include "check.h"

// gcc makes schedule(auto) static without asking the runtime.
#ifdef __clang__
#define TUNED schedule(auto)
#else
#define TUNED schedule(runtime)
#endif

enum { kTrip = 600, kTimes = 300 };
static unsigned char seen[kTrip], also[kTrip];

static void work(int amount) {
  for (volatile int i = 0; i < amount; ++i) {
  }
}

static void uneven(int trip) {
  int last = -1;
#pragma omp parallel for TUNED lastprivate(last)
  for (int i = 0; i < trip; ++i) {
    work(i);
    hit(seen, i);
    last = i;
  }
  CHECK_EACH_ONCE(seen, trip);
  CHECK_EQ(last, trip - 1);
}

// Members are several loops apart.
static void overlapping(void) {
#pragma omp parallel
  {
    for (int t = 0; t < 5; ++t) {
#pragma omp for TUNED nowait
      for (int i = 0; i < kTrip; ++i) {
        work(i);
        hit(seen, i);
      }
#pragma omp for TUNED nowait
      for (int i = kTrip - 1; i >= 0; --i) {
        work(i / 2);
        hit(also, i);
      }
    }
  }
  for (int i = 0; i < kTrip; ++i) {
    CHECK_EQ(seen[i], 5);
    CHECK_EQ(also[i], 5);
    seen[i] = also[i] = 0;
  }
}

// Short loops, which the tuner soon leaves alone and times again now and then: in several teams,
// with and without barriers.
static void short_ones(int threads) {
  long sum = 0;
#pragma omp parallel num_threads(threads) reduction(+ : sum)
  for (int t = 0; t < 2000; ++t) {
#pragma omp for TUNED nowait
    for (int i = 0; i < 16; ++i) sum += i;
#pragma omp for TUNED
    for (int i = 0; i < 8; ++i) sum += 1;
  }
  CHECK_EQ(sum, 2000 * (120 + 8));
}

// The loop is short at first and long later.
static void growing(void) {
  for (int t = 0; t < 3000; ++t) {
    const int amount = t < 2000 ? 0 : 100;
    int n = 0;
#pragma omp parallel for TUNED reduction(+ : n)
    for (int i = 0; i < 64; ++i) {
      work(amount);
      ++n;
    }
    CHECK_EQ(n, 64);
  }
}

// Several teams run the loop of one call site at once.
static void nested(void) {
  long sum = 0;
  omp_set_max_active_levels(2);
#pragma omp parallel num_threads(2) reduction(+ : sum)
  for (int t = 0; t < 60; ++t) {
    long mine = 0;
#pragma omp parallel for TUNED num_threads(2) reduction(+ : mine)
    for (int i = 0; i < 100; ++i) {
      work(i * 5);
      mine += i;
    }
    sum += mine;
  }
  CHECK_EQ(sum, 2 * 60 * 4950);
}

static void cut_short(void) {
  for (int t = 0; t < 200; ++t) {
    int ran = 0;
#pragma omp parallel
#pragma omp for TUNED reduction(+ : ran)
    for (int i = 0; i < kTrip; ++i) {
      work(50);
      ++ran;
      if (i == 5 && t % 2 == 0) {
#pragma omp cancel for
      }
#pragma omp cancellation point for
    }
    CHECK(ran <= kTrip);
    if (t % 2 == 1 || !omp_get_cancellation()) CHECK_EQ(ran, kTrip);
  }
}

int main(void) {
  for (int t = 0; t < kTimes; ++t) uneven(kTrip);
  for (int t = 0; t < kTimes; ++t) uneven(1 + t);
  uneven(0 + 1);
  for (int t = 0; t < 100; ++t) overlapping();
  for (int t = 0; t < 3; ++t)
    for (int threads = 1; threads <= 4; ++threads) short_ones(threads);
  growing();
  nested();
  cut_short();
  return check_result();
}
