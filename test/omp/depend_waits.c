// Undeferred and final tasks with dependences, and taskwait with a depend clause: each waits for
// what it names, and goes on while other children are not done.
// test: skip clang<14 its program never ends on its own runtime either
// test: variant graphs VICINO_TASKGRAPH=site
// test: variant calls VICINO_TASK_CALLS=all threads=2,7
// test: variant drawn VICINO_TASK_CALLS=1 threads=2,7
#include <omp.h>

#include "check.h"

// A detached task: it cannot end before its creator goes on and fulfils the event.
static omp_event_handle_t hold(int* address) {
  omp_event_handle_t event = 0;
#pragma omp task depend(out : *address) detach(event)
  *address = 1;
  return event;
}

static void waits_for_named_alone(void) {
  int held = 0, x = 0, y = 0;
  omp_event_handle_t event = hold(&held);
  for (int i = 0; i < 10; ++i) {
#pragma omp task depend(inout : x) shared(x)
    ++x;
#pragma omp task depend(in : x) depend(mutexinoutset : y) shared(y)
    ++y;
  }
#pragma omp taskwait depend(in : x)
  CHECK_EQ(x, 10);
#pragma omp taskwait depend(inout : y)
  CHECK_EQ(y, 10);
#pragma omp task depend(in : x, y) if (0) shared(x)
  x += 100;
  CHECK_EQ(x, 110);
  omp_fulfill_event(event);
#pragma omp taskwait depend(in : held)
  CHECK_EQ(held, 1);
#pragma omp taskwait
}

// A successor of a held task does not begin, not even in a team of one.
static void held_back(void) {
  int held = 0, after = 0, readers = 0;
  omp_event_handle_t event = hold(&held);
#pragma omp task depend(inout : held) shared(after)
  after = 1;
  for (int i = 0; i < 5; ++i)
#pragma omp task depend(in : held) shared(after, readers)
  {
    CHECK_EQ(after, 1);
    __atomic_fetch_add(&readers, 1, __ATOMIC_RELAXED);
  }
#pragma omp taskyield
  CHECK_EQ(__atomic_load_n(&after, __ATOMIC_RELAXED), 0);
  omp_fulfill_event(event);
#pragma omp taskwait
  CHECK_EQ(readers, 5);
}

static void in_final(void) {
  int x = 0;
#pragma omp task final(1) shared(x)
  {
    for (int i = 0; i < 10; ++i) {
#pragma omp task depend(inout : x) shared(x) firstprivate(i)
      {
        CHECK_EQ(x, i);
        ++x;
      }
      CHECK_EQ(x, i + 1);
    }
  }
#pragma omp taskwait
  CHECK_EQ(x, 10);
}

static void undeferred_among_deferred(void) {
  int x = 0;
  for (int i = 0; i < 60; i += 3) {
#pragma omp task depend(inout : x) shared(x)
    ++x;
#pragma omp task depend(inout : x) shared(x) if (i % 2)
    ++x;
    if (i % 2 == 0) CHECK_EQ(x, i + 2);
#pragma omp task depend(mutexinoutset : x) shared(x)
    ++x;
  }
#pragma omp taskwait
  CHECK_EQ(x, 60);
}

int main(void) {
#pragma omp parallel
#pragma omp single
  for (int round = 0; round < 20; ++round) {
    waits_for_named_alone();
    held_back();
    in_final();
    undeferred_among_deferred();
  }
  return check_result();
}
