// cancel taskgroup: tasks that have not begun are discarded and the objects they hold are
// destroyed; tasks that have begun go on to their end. Groups outside the cancelled one are left
// alone; tasks of groups inside it are discarded, too.
// test: uses OMP_CANCELLATION=true
// test: variant calls VICINO_TASK_CALLS=all threads=2,7
// test: variant drawn VICINO_TASK_CALLS=1 threads=2,7
#include <omp.h>

#include <atomic>

#include "check.h"

enum { kTasks = 500 };

static std::atomic<int> live;
struct Object {
  Object() { ++live; }
  Object(const Object&) { ++live; }
  ~Object() { --live; }
};

// The objects that a task holds are destroyed whether it runs or not.
template <bool kUntied>
static void objects() {
  {
    std::atomic<int> begun{0};
    const Object object;
#pragma omp taskgroup
    for (int i = 0; i < kTasks; ++i) {
      if (kUntied) {
#pragma omp task untied firstprivate(object) shared(begun)
        {
          ++begun;
#pragma omp cancel taskgroup
        }
      } else {
#pragma omp task firstprivate(object) shared(begun)
        {
          ++begun;
#pragma omp cancel taskgroup
        }
      }
    }
    CHECK(begun.load() >= 1);
  }
  CHECK_EQ(live.load(), 0);
}

static void plain_data() {
  std::atomic<int> after{0};
#pragma omp taskgroup
  {
#pragma omp task
    {
#pragma omp cancel taskgroup
      CHECK(false);
    }
#pragma omp taskwait
    for (int i = 0; i < kTasks; ++i) {
#pragma omp task shared(after)
      ++after;
    }
  }
  CHECK_EQ(after.load(), 0);
}

// A task that has begun learns of the cancellation at its cancellation point.
static void points() {
  std::atomic<int> passed{0};
#pragma omp taskgroup
  {
#pragma omp task shared(passed)
    {
#pragma omp task shared(passed)
      {
#pragma omp cancel taskgroup
      }
#pragma omp taskwait
#pragma omp cancellation point taskgroup
      ++passed;
    }
  }
  CHECK_EQ(passed.load(), 0);
}

static void nested() {
  std::atomic<int> inside{0}, outside{0};
#pragma omp taskgroup
  {
#pragma omp taskgroup
    {
#pragma omp task
      {
#pragma omp cancel taskgroup
      }
#pragma omp taskwait
#pragma omp task shared(inside)
      ++inside;
    }
    for (int i = 0; i < kTasks; ++i) {
#pragma omp task shared(outside)
      ++outside;
    }
  }
  CHECK_EQ(inside.load(), 0);
  CHECK_EQ(outside.load(), kTasks);

  // A group within the cancelled one: its tasks are descendants of the outer group's tasks.
  inside = 0;
#pragma omp taskgroup
  {
#pragma omp task shared(inside)
    {
#pragma omp task
      {
#pragma omp cancel taskgroup
      }
#pragma omp taskwait
#pragma omp taskgroup
      for (int i = 0; i < kTasks; ++i) {
#pragma omp task shared(inside)
        ++inside;
      }
    }
  }
  CHECK_EQ(inside.load(), 0);
}

// An untied task that has begun goes on to its end, however often it is set aside.
static void untied_goes_on() {
  std::atomic<int> ends{0}, begun{0};
#pragma omp taskgroup
  {
    for (int i = 0; i < 20; ++i) {
#pragma omp task untied shared(ends, begun)
      {
        ++begun;
#pragma omp task if (0)
        {
#pragma omp cancel taskgroup
        }
#pragma omp taskyield
        ++ends;
      }
    }
  }
  CHECK(begun.load() >= 1);
  CHECK_EQ(ends.load(), begun.load());
}

static void of_taskloop() {
  std::atomic<int> runs{0};
#pragma omp taskloop grainsize(1) shared(runs)
  for (int i = 0; i < 20000; ++i) {
    ++runs;
#pragma omp cancel taskgroup
  }
  const Object object;
#pragma omp taskloop grainsize(1) firstprivate(object)
  for (int i = 0; i < 2000; ++i) {
#pragma omp cancel taskgroup
  }
  CHECK(runs.load() >= 1);
  CHECK(runs.load() <= omp_get_num_threads());
}

static void with_reduction() {
  int sum = 0;
#pragma omp taskgroup task_reduction(+ : sum)
  for (int i = 0; i < kTasks; ++i) {
#pragma omp task in_reduction(+ : sum)
    {
      sum += 1;
#pragma omp cancel taskgroup
      sum += 1000000;
    }
  }
  CHECK(sum >= 1 && sum <= kTasks);
}

int main() {
  CHECK(omp_get_cancellation());
#pragma omp parallel
#pragma omp single
  for (int round = 0; round < 20; ++round) {
    objects<false>();
    objects<true>();
    plain_data();
    points();
    nested();
    untied_goes_on();
    of_taskloop();
    CHECK_EQ(live.load(), 0);
    with_reduction();
  }
  return check_result();
}
