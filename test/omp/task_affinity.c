// test: variant nas VICINO_TASKS=nas
// test: variant passive VICINO_TASKS=nas OMP_WAIT_POLICY=passive
// The affinity clause is a hint: whatever it names, each task runs once, in the order that other
// clauses ask for. test/lab/task_affinity.cpp checks where the tasks run.
#include <omp.h>

#include "check.h"

enum { kTasks = 400, kBytes = 1 << 16, kStep = kBytes / kTasks };
static unsigned char seen[kTasks];
static char data[kBytes];
static char untouched[kBytes];

static void many(char* memory, int length) {
  memset(seen, 0, sizeof seen);
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < kTasks; ++i)
#pragma omp task affinity(memory[i * kStep : length]) firstprivate(i)
    hit(seen, i);
  CHECK_EACH_ONCE(seen, kTasks);
}

static void several_entries(void) {
  memset(seen, 0, sizeof seen);
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < kTasks; ++i)
#pragma omp task affinity(seen, data[0 : kBytes]) affinity(i) firstprivate(i)
    hit(seen, i);
  CHECK_EACH_ONCE(seen, kTasks);
}

static void iterators(void) {
  memset(seen, 0, sizeof seen);
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < kTasks; ++i)
#pragma omp task affinity(iterator(j = 0 : i % 5) : data[j * kStep : kStep]) firstprivate(i)
    hit(seen, i);
  CHECK_EACH_ONCE(seen, kTasks);
}

static void with_other_clauses(void) {
  int last = -1, done = 0;
#pragma omp parallel
#pragma omp single
  {
    for (int i = 0; i < kTasks; ++i)
#pragma omp task affinity(data[i * kStep : kStep]) depend(inout : last) firstprivate(i) shared(last)
    {
      CHECK_EQ(last, i - 1);
      last = i;
    }
    for (int i = 0; i < kTasks; ++i)
#pragma omp task affinity(data[i * kStep : kStep]) untied priority(i % 2) shared(done)
    {
#pragma omp taskyield
#pragma omp atomic
      ++done;
    }
#pragma omp taskgroup
    for (int i = 0; i < kTasks; ++i)
#pragma omp task affinity(data[i * kStep : kStep]) final(i % 2) if (i % 3) shared(done)
    {
#pragma omp task affinity(data[0 : i]) shared(done)
#pragma omp atomic
      ++done;
#pragma omp taskwait
    }
  }
  CHECK_EQ(last, kTasks - 1);
  CHECK_EQ(done, 2 * kTasks);
}

static void fulfilled_by_another(void) {
  int done = 0;
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < 50; ++i) {
    omp_event_handle_t event;
#pragma omp task detach(event) depend(out : data[i]) affinity(data[0 : kBytes])
    {
    }
#pragma omp task depend(in : data[i]) affinity(data[0 : kBytes]) shared(done)
#pragma omp atomic
    ++done;
#pragma omp task firstprivate(event)
    omp_fulfill_event(event);
  }
  CHECK_EQ(done, 50);
}

static void outside_any_region(void) {
  int value = 0;
#pragma omp task affinity(data) shared(value)
  value = 3;
#pragma omp taskwait
  CHECK_EQ(value, 3);
}

int main(void) {
  memset(data, 1, sizeof data);
  many(data, kStep);
  many(data, 0);
  many(untouched, kStep);
  several_entries();
  iterators();
  with_other_clauses();
  fulfilled_by_another();
  outside_any_region();
  return check_result();
}
