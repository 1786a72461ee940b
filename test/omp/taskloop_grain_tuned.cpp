// Taskloops with grainsize or num_tasks, executed so often that the tuner tries its numbers of
// threads and steal policies: each time every iteration runs once, and the tasks are those that the
// clause says, with reductions, nogroup, objects, cancellation, and tasks that have children.
// test: variant flat VICINO_TASKLOOP=flat
// test: variant fixed VICINO_EXPLORE=false
// test: variant cancelling OMP_CANCELLATION=true
// test: peer clang-19@cancelling libomp does not destroy the objects of tasks that it leaves out
// test: variant counted VICINO_STATS=/dev/null
// test: variant bound OMP_PROC_BIND=close
#include <omp.h>

#include <algorithm>
#include <atomic>
#include <climits>

#include "check.h"
#include "compiler_faults.hpp"
#include "counted.hpp"

enum { kTrip = 1000, kTimes = 40 };
static unsigned char seen[kTrip];
static int task_of[kTrip];
static std::atomic<int> tasks;

static void work(int amount) {
  for (volatile int i = 0; i < amount; ++i) {
  }
}

// Each task takes a number at its first iteration and keeps it in its firstprivate `number`.
#define RUN(i, number)                           \
  do {                                           \
    if (number < 0) number = tasks.fetch_add(1); \
    task_of[i] = number;                         \
    hit(seen, i);                                \
    work(100);                                   \
  } while (0)

struct Shape {
  int tasks, least, most, last;
};
// Of the taskloop that ran last.
static Shape shape() {
  Shape s = {0, INT_MAX, 0, 0};
  for (int i = 0, length = 0; i < kTrip; ++i) {
    ++length;
    if (i + 1 < kTrip && task_of[i + 1] == task_of[i]) continue;
    ++s.tasks;
    s.least = std::min(s.least, length);
    s.most = std::max(s.most, length);
    s.last = length;
    length = 0;
  }
  CHECK_EQ(s.tasks, tasks.load());  // the iterations of each task are one range
  tasks = 0;
  CHECK_EACH_ONCE(seen, kTrip);
  return s;
}

static void by_grainsize(int grain) {
  for (int t = 0; t < kTimes; ++t) {
    int number = -1;
#pragma omp taskloop grainsize(grain) firstprivate(number)
    for (int i = 0; i < kTrip; ++i) RUN(i, number);
    const Shape s = shape();
    CHECK(s.least >= std::min(grain, int(kTrip)) && s.most < 2 * grain);
  }
}

static void by_num_tasks(int count) {
  for (int t = 0; t < kTimes; ++t) {
    int number = -1, last = -1;
    long sum = 0;
#pragma omp taskloop num_tasks(count) firstprivate(number) lastprivate(last) reduction(+ : sum)
    for (int i = 0; i < kTrip; ++i) {
      RUN(i, number);
      last = i;
      sum += i;
    }
    const Shape s = shape();
    CHECK_EQ(s.tasks, std::min(count, int(kTrip)));
    CHECK(s.most - s.least <= 1);
    CHECK_EQ(last, kTrip - 1);
    CHECK_EQ(sum, long(kTrip) * (kTrip - 1) / 2);
  }
}

// clang-19 reads `strict` and does not pass it on: what it asks for is checked above.
static void strictly(int amount) {
  for (int t = 0; t < kTimes; ++t) {
    int number = -1;
#pragma omp taskloop grainsize(strict : amount) firstprivate(number)
    for (int i = 0; i < kTrip; ++i) RUN(i, number);
    Shape s = shape();
    if (kGcc) {
      CHECK_EQ(s.tasks, (kTrip + amount - 1) / amount);
      CHECK_EQ(s.most, amount);
      CHECK_EQ(s.last, (kTrip - 1) % amount + 1);
    }
#pragma omp taskloop num_tasks(strict : amount) firstprivate(number)
    for (int i = 0; i < kTrip; ++i) RUN(i, number);
    s = shape();
    CHECK_EQ(s.tasks, amount);
    CHECK(s.most - s.least <= 1);
  }
}

// The task that meets the taskloop goes on before its tasks have ended.
static void without_group() {
  for (int t = 0; t < kTimes; ++t) {
#pragma omp taskgroup
    {
      int mark = t, number = -1;
#pragma omp taskloop nogroup num_tasks(128) firstprivate(mark, number)
      for (int i = 0; i < kTrip; ++i)
        if (mark == t) RUN(i, number);
      mark = -1;
    }
    CHECK_EQ(shape().tasks, 128);
  }
}

// Each task generates a child and waits for it.
static void with_children() {
  for (int t = 0; t < kTimes; ++t) {
    int children = 0;
#pragma omp taskloop grainsize(5) shared(children)
    for (int i = 0; i < kTrip; ++i) {
      int done = 0;
#pragma omp task shared(done, children)
      {
        done = 1;
        __atomic_fetch_add(&children, 1, __ATOMIC_RELAXED);
      }
#pragma omp taskwait
      if (done) hit(seen, i);
    }
    CHECK_EACH_ONCE(seen, kTrip);
    CHECK_EQ(children, kTrip);
  }
}

// Each task has a copy of its own, made and destroyed once. gcc's are made beforehand, unless they
// are many.
static void objects(int count) {
  for (int t = 0; t < kTimes; ++t) {
    {
      const Counted counted(t);
      int number = -1;
#pragma omp taskloop num_tasks(count) firstprivate(counted, number)
      for (int i = 0; i < kTrip; ++i)
        if (counted.value == t) RUN(i, number);
    }
    CHECK_EQ(shape().tasks, count);
    CHECK_EQ(alive, 0);
  }
}

static void cut_short() {
  for (int t = 0; t < kTimes; ++t) {
    {
      const Counted counted(t);
#pragma omp taskloop num_tasks(250) firstprivate(counted)
      for (int i = 0; i < kTrip; ++i) {
        work(100);
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

int main() {
#pragma omp parallel
#pragma omp single
  {
    for (int grain : {1, 3, 10, 64, 300, 2000}) by_grainsize(grain);
    for (int count : {1, 7, 64, 65, 200, 999, 4000}) by_num_tasks(count);
    for (int amount : {1, 4, 33, 128}) strictly(amount);
    without_group();
    with_children();
    for (int count : {64, 150, 700}) objects(count);
    cut_short();
  }
  return check_result();
}
