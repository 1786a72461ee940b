// test: peer clang-19 with one thread it runs each task at once, and then waits for its own lock
// test: variant all VICINO_TASK_CALLS=all
// test: variant drawn VICINO_TASK_CALLS=7
// A runtime may run a new task at once, as a call. Not where the generating task holds a lock that
// the new task may want, nor inside an ordered region; and a task that was a call is as any other.
#include <omp.h>

#include "check.h"

enum { kTasks = 40 };
static int runs, called_inside, holder = -1;
static omp_lock_t lock;
static omp_nest_lock_t nest_lock;

// Called in the task, with the lock in question held.
static void count(void) { __atomic_fetch_add(&runs, 1, __ATOMIC_RELAXED); }
// Called first in the task: a thread that holds the lock now has not left what it was in.
static void look(void) {
  if (__atomic_load_n(&holder, __ATOMIC_RELAXED) == omp_get_thread_num())
    __atomic_fetch_add(&called_inside, 1, __ATOMIC_RELAXED);
}
static void hold(void) { __atomic_store_n(&holder, omp_get_thread_num(), __ATOMIC_RELAXED); }
static void let_go(void) { __atomic_store_n(&holder, -1, __ATOMIC_RELAXED); }

static void wants_critical(void) {
  look();
#pragma omp critical
  count();
}
static void makes_in_critical(void) {
#pragma omp critical
  {
    hold();
#pragma omp task
    wants_critical();
    let_go();
  }
}

static void wants_named(void) {
  look();
#pragma omp critical(name)
  count();
}
static void makes_in_named(void) {
#pragma omp critical(name)
  {
    hold();
#pragma omp task
    wants_named();
    let_go();
  }
}

static void wants_lock(void) {
  look();
  omp_set_lock(&lock);
  count();
  omp_unset_lock(&lock);
}
static void makes_under_lock(void) {
  omp_set_lock(&lock);
  hold();
#pragma omp task
  wants_lock();
  let_go();
  omp_unset_lock(&lock);
}
static void makes_under_tested_lock(void) {
  while (!omp_test_lock(&lock)) {
  }
  hold();
#pragma omp task
  wants_lock();
  let_go();
  omp_unset_lock(&lock);
}

static void wants_nest_lock(void) {
  look();
  omp_set_nest_lock(&nest_lock);
  count();
  omp_unset_nest_lock(&nest_lock);
}
static void makes_under_nest_lock(void) {
  omp_set_nest_lock(&nest_lock);
  CHECK_EQ(omp_test_nest_lock(&nest_lock), 2);
  hold();
  omp_unset_nest_lock(&nest_lock);
#pragma omp task
  wants_nest_lock();
  let_go();
  omp_unset_nest_lock(&nest_lock);
}

// The lock is held by a task that waits for its child meanwhile, so the child's own children come
// where the thread holds a lock.
static void waits_under_lock(void) {
#pragma omp task
  {
    omp_set_lock(&lock);
    hold();
#pragma omp task
    {
      count();
#pragma omp task
      count();
    }
    let_go();
#pragma omp taskwait
    omp_unset_lock(&lock);
  }
}

static void by_one(void (*makes)(void), int tasks) {
  runs = called_inside = 0;
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < kTasks; ++i) makes();
  CHECK_EQ(runs, tasks);
  CHECK_EQ(called_inside, 0);
}

static void in_ordered(void) {
  runs = called_inside = 0;
#pragma omp parallel for ordered
  for (int i = 0; i < kTasks; ++i) {
#pragma omp ordered
    {
      hold();
#pragma omp task
      {
        look();
        count();
      }
      let_go();
    }
  }
  CHECK_EQ(runs, kTasks);
  if (omp_get_max_threads() > 1) CHECK_EQ(called_inside, 0);
}

// After a lock was given back, tasks may be calls again, and nothing else has changed.
static void tree(int depth, int number, int* sum) {
  const int threads = omp_get_max_threads();
  omp_set_num_threads(depth + 3);
  if (depth > 0) {
    int left = 0, right = 0;
#pragma omp task shared(left)
    tree(depth - 1, 2 * number, &left);
#pragma omp task shared(right)
    tree(depth - 1, 2 * number + 1, &right);
#pragma omp taskwait
    *sum = left + right + 1;
  } else {
    *sum = number % 2;
  }
  CHECK_EQ(omp_get_max_threads(), depth + 3);
  CHECK_EQ(omp_in_final(), 0);
  omp_set_num_threads(threads);
}

static void as_any_other(void) {
  enum { kDepth = 9 };
#pragma omp parallel
#pragma omp single
  {
    int sum = 0, group = 0, own = 5;
    tree(kDepth, 0, &sum);
    CHECK_EQ(sum, (1 << kDepth) - 1 + (1 << kDepth) / 2);
#pragma omp taskgroup
    for (int i = 0; i < kTasks; ++i)
#pragma omp task firstprivate(own) shared(group)
    {
      own += i;
#pragma omp task firstprivate(own) shared(group)
      __atomic_fetch_add(&group, own, __ATOMIC_RELAXED);
    }
    CHECK_EQ(own, 5);
    CHECK_EQ(group, kTasks * 5 + kTasks * (kTasks - 1) / 2);
  }
}

// A call waits for its own children, as any task does.
static void waits_inside(void) {
  int inner = 0, outer = 0;
#pragma omp parallel
#pragma omp single
  {
    for (int i = 0; i < kTasks; ++i)
#pragma omp task shared(inner, outer)
    {
      int mine = 0;
#pragma omp task shared(mine)
      mine = 1;
#pragma omp taskyield
#pragma omp taskwait
      __atomic_fetch_add(&inner, mine, __ATOMIC_RELAXED);
    }
#pragma omp taskwait
    outer = inner;
  }
  CHECK_EQ(outer, kTasks);
}

int main(void) {
  omp_init_lock(&lock);
  omp_init_nest_lock(&nest_lock);
  by_one(makes_in_critical, kTasks);
  by_one(makes_in_named, kTasks);
  by_one(makes_under_lock, kTasks);
  by_one(makes_under_tested_lock, kTasks);
  by_one(makes_under_nest_lock, kTasks);
  by_one(waits_under_lock, 2 * kTasks);
  in_ordered();
  as_any_other();
  waits_inside();
  return check_result();
}
