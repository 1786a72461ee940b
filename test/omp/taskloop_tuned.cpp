// Taskloops that the tuner divides run each iteration once, whatever it tries: fewer threads, both
// steal policies, a site that is left alone. The same holds when several run at once, when one is
// within another, and when members do not come.
// test: variant flat VICINO_TASKLOOP=flat
// test: variant hierarchical VICINO_TASKLOOP=hierarchical
// test: variant fixed VICINO_EXPLORE=false
// test: variant cancelling OMP_CANCELLATION=true
// test: variant passive OMP_WAIT_POLICY=passive
#include <omp.h>

#include "check.h"
#include "counted.hpp"

enum { kTrip = 200, kTimes = 60 };
static unsigned char seen[kTrip], also[kTrip];

static void work(int amount) {
  for (volatile int i = 0; i < amount; ++i) {
  }
}

static void repeated() {
  for (int t = 0; t < kTimes; ++t) {
    int last = -1;
    long sum = 0;
#pragma omp taskloop lastprivate(last) reduction(+ : sum)
    for (int i = 0; i < kTrip; ++i) {
      work(3 * i);
      hit(seen, i);
      last = i;
      sum += i;
    }
    CHECK_EACH_ONCE(seen, kTrip);
    CHECK_EQ(last, kTrip - 1);
    CHECK_EQ(sum, kTrip * (kTrip - 1) / 2);
  }
}

static void short_ones() {
  for (int t = 0; t < 20 * kTimes; ++t) {
#pragma omp taskloop
    for (int i = 3; i > 0; --i) hit(seen, i - 1);
    CHECK_EACH_ONCE(seen, 3);
  }
}

// The second taskloop begins before the first has ended, and the tasks' copies of `mark` last until
// the taskgroup ends.
static void without_group() {
  for (int t = 0; t < kTimes; ++t) {
#pragma omp taskgroup
    {
      int mark = t;
#pragma omp taskloop nogroup firstprivate(mark)
      for (int i = 0; i < kTrip; ++i) {
        work(300);
        if (mark == t) hit(seen, i);
      }
#pragma omp taskloop nogroup firstprivate(mark)
      for (int i = 0; i < kTrip; ++i) {
        work(300);
        if (mark == t) hit(also, i);
      }
      mark = -1;
    }
    CHECK_EACH_ONCE(seen, kTrip);
    CHECK_EACH_ONCE(also, kTrip);
  }
}

// Each task has children and waits for them; some tasks meet the inner taskloop.
static void nested() {
  for (int t = 0; t < kTimes / 4; ++t) {
    long sum = 0;
#pragma omp taskloop shared(sum)
    for (int i = 0; i < 24; ++i) {
      int a = 0, b = 0;
#pragma omp task shared(a)
      {
        work(300);
        a = i;
      }
#pragma omp task shared(b)
      b = 1;
#pragma omp taskwait
      if (i % 3 == 0) {
#pragma omp taskloop shared(sum)
        for (int j = 0; j < 50; ++j) {
          work(200);
#pragma omp atomic
          ++sum;
        }
      }
#pragma omp atomic
      sum += a + b;
    }
    CHECK_EQ(sum, 24 * 23 / 2 + 24 + 8 * 50);
  }
}

// Several threads meet one taskloop at once.
static void at_once() {
  static unsigned char each[4][kTrip];
  for (int t = 0; t < kTimes / 4; ++t) {
#pragma omp taskgroup
    for (int k = 0; k < 4; ++k) {
#pragma omp task
      {
#pragma omp taskloop
        for (int i = 0; i < kTrip; ++i) {
          work(200);
          hit(each[k], i);
        }
      }
    }
    for (auto& seen_here : each) CHECK_EACH_ONCE(seen_here, kTrip);
  }
}

// Each task has a copy of its own, made and destroyed once.
static void objects() {
  for (int t = 0; t < kTimes; ++t) {
    {
      const Counted counted(t);
#pragma omp taskloop firstprivate(counted)
      for (int i = 0; i < kTrip; ++i) {
        work(200);
        if (counted.value == t) hit(seen, i);
      }
    }
    CHECK_EACH_ONCE(seen, kTrip);
    CHECK_EQ(alive, 0);
  }
}

static void cut_short() {
  for (int t = 0; t < kTimes; ++t) {
    {
      const Counted counted(t);
#pragma omp taskloop firstprivate(counted)
      for (int i = 0; i < kTrip; ++i) {
        work(200);
        hit(seen, i);
        if (i == 40 + t) {
#pragma omp cancel taskgroup
        }
      }
    }
    for (int i = 0; i < kTrip; ++i) CHECK(seen[i] <= 1);
    if (!omp_get_cancellation()) CHECK_EACH_ONCE(seen, kTrip);
    memset(seen, 0, sizeof seen);
    CHECK_EQ(alive, 0);
  }
}

static void all() {
  repeated();
  short_ones();
  without_group();
  nested();
  at_once();
  objects();
  cut_short();
}

// The other members run no tasks until the primary thread's taskloops have ended: its store (D1)
// pairs with their loads (D2).
static void alone() {
  int done = 0;
#pragma omp parallel
  {
#pragma omp masked
    {
      for (int t = 0; t < 20; ++t) {
#pragma omp taskloop
        for (int i = 0; i < kTrip; ++i) {
          work(200);
          hit(seen, i);
        }
        CHECK_EACH_ONCE(seen, kTrip);
      }
      __atomic_store_n(&done, 1, __ATOMIC_RELEASE);  // D1
    }
    while (!__atomic_load_n(&done, __ATOMIC_ACQUIRE)) {  // D2
#pragma omp flush
    }
  }
}

int main() {
#pragma omp parallel
#pragma omp single
  all();
#pragma omp parallel
#pragma omp single
#pragma omp task untied
  all();
  alone();
  return check_result();
}
