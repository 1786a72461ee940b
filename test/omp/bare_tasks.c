// A bare task, one that runs at once and asks the runtime for nothing, has no record. Its first
// request makes one, however deeply the task is nested in other bare tasks.
// test: variant one OMP_NUM_THREADS=1
// test: variant cancelling OMP_CANCELLATION=true
// test: variant calls VICINO_TASK_CALLS=all threads=2,7
// test: variant drawn VICINO_TASK_CALLS=1 threads=2,7
#define _GNU_SOURCE
#include <dlfcn.h>
#include <omp.h>

#include "check.h"

// An undeferred task. The tests nest several of them before the first request.
#define AT_ONCE OMP(task if (0) default(shared))

static void settings_are_its_own(void) {
  omp_set_num_threads(3);
  AT_ONCE {
    CHECK_EQ(omp_get_max_threads(), 3);
    AT_ONCE {
      omp_set_num_threads(7);
      CHECK_EQ(omp_get_max_threads(), 7);
      AT_ONCE CHECK_EQ(omp_get_max_threads(), 7);
    }
    CHECK_EQ(omp_get_max_threads(), 3);
    omp_set_num_threads(5);
  }
  CHECK_EQ(omp_get_max_threads(), 3);
}

static void locks_know_it(void) {
  omp_nest_lock_t lock;
  omp_init_nest_lock(&lock);
  CHECK_EQ(omp_test_nest_lock(&lock), 1);
  AT_ONCE {
    CHECK_EQ(omp_test_nest_lock(&lock), 0);
    AT_ONCE CHECK_EQ(omp_test_nest_lock(&lock), 0);
  }
  omp_unset_nest_lock(&lock);
  AT_ONCE {
    AT_ONCE {
      CHECK_EQ(omp_test_nest_lock(&lock), 1);
      AT_ONCE CHECK_EQ(omp_test_nest_lock(&lock), 0);
      CHECK_EQ(omp_test_nest_lock(&lock), 2);
      omp_unset_nest_lock(&lock);
      omp_unset_nest_lock(&lock);
    }
    CHECK_EQ(omp_test_nest_lock(&lock), 1);
    omp_unset_nest_lock(&lock);
  }
  omp_destroy_nest_lock(&lock);
}

static int later;
static void children_are_its_own(void) {
  int n = 0, outer = 0;
#pragma omp task shared(outer)
  {
    for (volatile int i = 0; i < 10000; ++i) {
    }
#pragma omp atomic write
    outer = 1;
  }
  AT_ONCE {
    AT_ONCE {
      for (int i = 0; i < 500; ++i) {
#pragma omp task shared(n)
        {
#pragma omp atomic
          ++n;
        }
      }
#pragma omp taskwait
      CHECK_EQ(n, 500);
    }
    for (int i = 0; i < 10; ++i) {
#pragma omp task
      {
#pragma omp atomic
        ++later;
      }
    }
  }  // the task ends before its children
#pragma omp taskwait
  CHECK_EQ(outer, 1);
}

static int left_behind;
static void parent_ends_first(int depth) {
  if (depth == 0) return;
  AT_ONCE parent_ends_first(depth - 1);
#pragma omp task
  {
#pragma omp atomic
    ++left_behind;
  }
}

static void groups_hold_them(void) {
  int n = 0;
#pragma omp taskgroup
  AT_ONCE {
    AT_ONCE {
      for (int i = 0; i < 100; ++i) {
#pragma omp task shared(n)
        {
#pragma omp task shared(n)
          {
#pragma omp atomic
            ++n;
          }
        }
      }
    }
#pragma omp taskgroup
    {
#pragma omp task shared(n)
      {
#pragma omp atomic
        ++n;
      }
    }
  }
  CHECK_EQ(n, 101);
}

static void dependences_are_among_siblings(void) {
  int x = 0, y = 0;
  AT_ONCE {
#pragma omp task depend(out : x) shared(x)
    x = 1;
    AT_ONCE {
#pragma omp task depend(inout : x) shared(y)  // no sibling of the task above
      y = 1;
#pragma omp taskwait
      CHECK_EQ(y, 1);
    }
#pragma omp task depend(inout : x) shared(x)
    x *= 2;
#pragma omp taskwait depend(in : x)
    CHECK_EQ(x, 2);
#pragma omp taskwait
  }
}

static void final_reaches_them(void) {
  AT_ONCE CHECK_EQ(omp_in_final(), 0);
#ifdef __clang__  // gcc 12 has no omp_in_explicit_task() yet
  AT_ONCE CHECK_EQ(omp_in_explicit_task(), 1);
#else
  int (*const asked)(void) = (int (*)(void))dlsym(RTLD_DEFAULT, "omp_in_explicit_task");
  if (asked != NULL) AT_ONCE CHECK_EQ(asked(), 1);
#endif
#pragma omp task final(1) if (0)
  {
    CHECK_EQ(omp_in_final(), 1);
    int n = 0;
#pragma omp task shared(n)
    {
      CHECK_EQ(omp_in_final(), 1);
      n = 1;
    }
    CHECK_EQ(n, 1);
  }
}

static void regions_in_them(void) {
  int threads = 0, n = 0;
  AT_ONCE AT_ONCE {
#pragma omp parallel num_threads(2) shared(n)
    {
#pragma omp single
      threads = omp_get_num_threads();
#pragma omp task if (0) shared(n)
      {
#pragma omp task shared(n)
        {
#pragma omp atomic
          ++n;
        }
#pragma omp taskwait
      }
    }
    CHECK_EQ(n, threads);
  }
}

static long fib(int n) {
  if (n < 2) return n;
  long a, b;
#pragma omp task shared(a)
  a = fib(n - 1);
#pragma omp task shared(b) if (n % 3 != 0)
  b = fib(n - 2);
#pragma omp taskwait
  return a + b;
}

// The task of each level gets its record only after the deeper levels have returned.
static int deep(int depth) {
  int below = 0;
  if (depth > 0) AT_ONCE below = deep(depth - 1);
#pragma omp task shared(below)
  {
#pragma omp atomic
    ++below;
  }
#pragma omp taskwait
  return below;
}

static void loops_of_tasks(void) {
  static unsigned char seen[5000];
#pragma omp taskloop grainsize(1)
  for (int i = 0; i < 5000; ++i) {
    hit(seen, i);
    if (i % 100 == 0) {
#pragma omp task
      {
#pragma omp atomic
        ++left_behind;
      }
    }
  }
  CHECK_EACH_ONCE(seen, 5000);
#pragma omp taskloop grainsize(1) if (0)
  for (int i = 0; i < 500; ++i) {
    hit(seen, i);
#pragma omp task
    {
#pragma omp atomic
      ++left_behind;
    }
#pragma omp taskwait
  }
  CHECK_EACH_ONCE(seen, 500);
}

static void cancelled(void) {
  int before = 0, after = 0;
#pragma omp taskgroup
  AT_ONCE {
    before = 1;
#pragma omp task shared(after)
    {
#pragma omp cancel taskgroup
#pragma omp atomic
      ++after;
    }
#pragma omp taskwait
    AT_ONCE {
#pragma omp atomic
      ++after;
    }
  }
  CHECK_EQ(before, 1);
  // Code that clang compiles runs the body of an undeferred task without asking the runtime.
  if (omp_get_cancellation()) CHECK(after <= 1);
  if (!omp_get_cancellation()) CHECK_EQ(after, 2);
}

int main(void) {
  settings_are_its_own();
#pragma omp parallel
  {
    settings_are_its_own();
    locks_know_it();
#pragma omp single nowait
    for (int i = 0; i < 20; ++i) {
      children_are_its_own();
      groups_hold_them();
      dependences_are_among_siblings();
      final_reaches_them();
    }
#pragma omp single
    {
      parent_ends_first(200);
      CHECK_EQ(fib(18), 2584);
      CHECK_EQ(deep(1000), 1001);
      loops_of_tasks();
    }
    if (omp_get_thread_num() == 0) cancelled();
  }
  CHECK_EQ(left_behind, 200 + 50 + 500);
  locks_know_it();
  children_are_its_own();
  regions_in_them();
  CHECK_EQ(later, 21 * 10);
  deep(300);
  return check_result();
}
