/* tasks.c: explicit tasks, taskloops and dependences. */
#include <omp.h>
#include <string.h>

#include "check.h"

static long fibonacci(int n) {
  long a = 0, b = 0;
  if (n < 2) return n;
#pragma omp task shared(a) firstprivate(n)
  a = fibonacci(n - 1);
#pragma omp task shared(b) firstprivate(n) if (n > 3) final(n < 5) mergeable
  b = fibonacci(n - 2);
#pragma omp taskwait
  return a + b;
}

static void trees(void) {
  long result = 0;
  int done = 0, after = 0;
#pragma omp parallel num_threads(kTeam)
#pragma omp single
  result = fibonacci(15);
  check_number("a tree of tasks", result, 610);
#pragma omp parallel num_threads(kTeam)
#pragma omp single
  {
    for (int i = 0; i < 1000; ++i) {
#pragma omp task untied priority(i % 3)
      {
        if (i % 50 == 0) {
#pragma omp taskyield
        }
#pragma omp atomic
        ++done;
      }
    }
  }
  check_number("tasks are done at the region's end", done, 1000);
  done = 0;
#pragma omp parallel num_threads(kTeam)
#pragma omp single
  {
#pragma omp taskgroup
    for (int i = 0; i < 20; ++i) {
#pragma omp task
#pragma omp task
      {
        dawdle();
#pragma omp atomic
        ++done;
      }
    }
#pragma omp atomic read
    after = done;
  }
  check_number("taskgroup waits for children of children", after, 20);
}

static void data_of_tasks(void) {
  int wrong = 0;
#pragma omp parallel num_threads(kTeam)
#pragma omp single
  for (int i = 0; i < 100; ++i) {
    long values[40];
    for (int k = 0; k < 40; ++k) values[k] = i + k;
#pragma omp task firstprivate(values) shared(wrong)
    for (int k = 0; k < 40; ++k)
      if (values[k] != i + k) {
#pragma omp atomic
        ++wrong;
      }
  }
  check("firstprivate", wrong == 0, "%d values are wrong", wrong);
}

static void detached(void) {
  int order = 0, at_event = 0, at_wait = 0;
#pragma omp parallel num_threads(kTeam)
#pragma omp single
  {
    omp_event_handle_t event;
#pragma omp task detach(event) shared(order)
    {
#pragma omp atomic
      ++order;
    }
#pragma omp task firstprivate(event) shared(order, at_event)
    {
      for (int i = 0; i < 20; ++i) dawdle();
      at_event = 1;
      omp_fulfill_event(event);
    }
#pragma omp taskwait
    at_wait = at_event;
  }
  check("a detached task ends with its event", order == 1 && at_wait == 1,
        "it ran %d times, and was awaited %s its event", order, at_wait ? "until" : "not until");
}

void test_tasks(void) {
  trees();
  data_of_tasks();
  detached();
}

void test_taskloops(void) {
  enum { kTrip = 500 };
  static int hits[kTrip];
  long sum = 0, last = -1, nested = 0;
  int wrong = 0;
#pragma omp parallel num_threads(kTeam)
#pragma omp single
  {
#pragma omp taskloop
    for (int i = 0; i < kTrip; ++i) {
#pragma omp atomic
      ++hits[i];
    }
#pragma omp taskloop grainsize(7)
    for (unsigned long i = 0; i < kTrip; ++i) {
#pragma omp atomic
      ++hits[i];
    }
#pragma omp taskloop num_tasks(9) nogroup
    for (long i = kTrip - 1; i >= 0; --i) {
#pragma omp atomic
      ++hits[i];
    }
#pragma omp taskloop grainsize(strict : 11)
    for (int i = 0; i < kTrip; ++i) {
#pragma omp atomic
      ++hits[i];
    }
#pragma omp taskloop reduction(+ : sum) num_tasks(10)
    for (int i = 0; i < kTrip; ++i) sum += i;
#pragma omp taskloop lastprivate(last) collapse(2)
    for (int a = 0; a < 10; ++a)
      for (int b = 0; b < 10; ++b) last = 10 * a + b;
#pragma omp taskloop num_tasks(4)
    for (int a = 0; a < 4; ++a) {
#pragma omp taskloop num_tasks(4)
      for (int b = 0; b < 10; ++b) {
#pragma omp atomic
        nested += 1;
      }
    }
  }
  for (int i = 0; i < kTrip; ++i) wrong += hits[i] != 4;
  check("each iteration once", wrong == 0, "%d of %d iterations are wrong", wrong, kTrip);
  check_number("reduction", sum, (long)kTrip * (kTrip - 1) / 2);
  check_number("lastprivate", last, 99);
  check_number("a taskloop in a taskloop", nested, 40);
}

/* A chain, a diamond, and many that exclude each other. */
static void orders(void) {
  long chain = 1, left = 0, right = 0, both = 0;
#pragma omp parallel num_threads(kTeam)
#pragma omp single
  {
    for (int i = 0; i < 30; ++i) {
#pragma omp task depend(inout : chain) shared(chain)
      {
        const long before = chain;
        dawdle();
        chain = (before * 3 + i) % 10007;
      }
    }
#pragma omp task depend(in : chain) depend(out : left) shared(left)
    {
      dawdle();
      left = 3;
    }
#pragma omp task depend(in : chain) depend(out : right) shared(right)
    right = 4;
#pragma omp task depend(in : left, right) shared(left, right, both)
    both = left * right;
  }
  long expected = 1;
  for (int i = 0; i < 30; ++i) expected = (expected * 3 + i) % 10007;
  check_number("a chain", chain, expected);
  check_number("a diamond", both, 12);
}

static void exclusions(void) {
  volatile long excluded = 0;
  long after = -1;
  int values[16] = {0}, sum = 0;
#pragma omp parallel num_threads(kTeam)
#pragma omp single
  {
    for (int i = 0; i < 40; ++i) {
#pragma omp task depend(mutexinoutset : excluded) shared(excluded)
      {
        const long before = excluded;
        dawdle();
        excluded = before + 1;
      }
    }
#pragma omp task depend(in : excluded) shared(excluded, after)
    after = excluded;
    for (int i = 0; i < 16; ++i) {
#pragma omp task depend(out : values[i]) shared(values)
      {
        dawdle();
        values[i] = i;
      }
    }
#pragma omp task depend(iterator(k = 0 : 16), in : values[k]) shared(values, sum)
    for (int i = 0; i < 16; ++i) sum += values[i];
  }
  check_number("tasks that exclude each other", after, 40);
  check_number("a task that awaits many", sum, 120);
}

static void awaited(void) {
  int first = 0, second = 0, at_first = 0, undeferred = 0;
#pragma omp parallel num_threads(kTeam)
#pragma omp single
  {
    omp_depend_t object;
#pragma omp task depend(out : first) shared(first)
    {
      dawdle();
      first = 1;
    }
#pragma omp taskwait depend(in : first)
    at_first = first;
#pragma omp task depend(out : second) shared(second)
    {
      dawdle();
      second = 2;
    }
#pragma omp depobj(object) depend(inout : second)
#pragma omp task depend(depobj : object) if (0) shared(second, undeferred)
    undeferred = second;
#pragma omp depobj(object) destroy
  }
  check_number("taskwait for one", at_first, 1);
  check_number("a task that is run at once waits for others", undeferred, 2);
}

void test_depend(void) {
  orders();
  exclusions();
  awaited();
}
