// test: variant passive OMP_WAIT_POLICY=passive
// test: peer gcc-12 in a team of one it waits for the event before the parent goes on to fulfil it
// detach: a task ends when its body has ended and its event is fulfilled, in either order. The task
// itself, another task, a thread of another region or a thread of no team may fulfil the event.
// test: variant graphs VICINO_TASKGRAPH=site
// test: variant calls VICINO_TASK_CALLS=all threads=2,7
// test: variant drawn VICINO_TASK_CALLS=1 threads=2,7
#include <omp.h>
#include <pthread.h>

#include "check.h"

static void* fulfill_from_thread(void* event) {
  omp_fulfill_event(*(omp_event_handle_t*)event);
  return NULL;
}

static void by_its_own_body(void) {
  omp_event_handle_t event = 0;
  int ran = 0;
#pragma omp task detach(event) shared(ran)
  {
    omp_fulfill_event(event);
    ran = 1;
  }
#pragma omp taskwait
  CHECK_EQ(ran, 1);
}

static void by_the_parent(void) {
  omp_event_handle_t event = 0;
  int ran = 0;
#pragma omp task detach(event) shared(ran)
  __atomic_store_n(&ran, 1, __ATOMIC_RELAXED);
  omp_fulfill_event(event);
#pragma omp taskwait
  CHECK_EQ(ran, 1);
}

static void by_a_sibling(void) {
  omp_event_handle_t event = 0;
  int ran = 0, fulfilled = 0;
#pragma omp task detach(event) shared(ran)
  __atomic_store_n(&ran, 1, __ATOMIC_RELAXED);
#pragma omp task shared(fulfilled)
  {
    __atomic_store_n(&fulfilled, 1, __ATOMIC_RELAXED);
    omp_fulfill_event(event);
  }
#pragma omp taskwait
  CHECK_EQ(ran + fulfilled, 2);
}

static void by_another_thread(void) {
  omp_event_handle_t event = 0;
  pthread_t thread;
  int ran = 0, after = 0;
#pragma omp taskgroup
  {
#pragma omp task detach(event) shared(ran) depend(out : ran)
    ran = 1;
#pragma omp task depend(in : ran) shared(ran, after)
    after = 1 + ran;
    pthread_create(&thread, NULL, fulfill_from_thread, &event);
  }
  CHECK_EQ(after, 2);
  pthread_join(thread, NULL);
}

static void by_an_inner_region(void) {
  omp_event_handle_t event = 0;
  int ran = 0;
#pragma omp task detach(event) shared(ran)
  ran = 1;
#pragma omp parallel num_threads(2)
#pragma omp single
  omp_fulfill_event(event);
#pragma omp taskwait
  CHECK_EQ(ran, 1);
}

// The task has children; its body has ended and its event is not fulfilled yet.
static void with_children(void) {
  omp_event_handle_t event = 0;
  int grandchildren = 0, next = 0;
#pragma omp taskgroup
  {
#pragma omp task detach(event) shared(grandchildren) depend(out : next)
    for (int i = 0; i < 20; ++i)
#pragma omp task shared(grandchildren)
      __atomic_fetch_add(&grandchildren, 1, __ATOMIC_RELAXED);
#pragma omp task depend(in : next) shared(next)
    next = 1;
    omp_fulfill_event(event);
  }
  CHECK_EQ(grandchildren, 20);
  CHECK_EQ(next, 1);
}

static void* fulfill_all(void* events) {
  for (int i = 0; i < 100; ++i) omp_fulfill_event(((omp_event_handle_t*)events)[i]);
  return NULL;
}

// The barrier at the region's end waits, asleep or not, until a foreign thread has fulfilled the
// last event.
static void at_the_barrier(void) {
  static omp_event_handle_t events[100];
  static pthread_t thread;
  int ran = 0;
#pragma omp parallel shared(ran)
#pragma omp single nowait
  {
    for (int i = 0; i < 100; ++i) {
      omp_event_handle_t event = 0;
#pragma omp task detach(event) shared(ran)
      __atomic_fetch_add(&ran, 1, __ATOMIC_RELAXED);
      events[i] = event;
    }
    pthread_create(&thread, NULL, fulfill_all, events);
  }
  CHECK_EQ(ran, 100);
  pthread_join(thread, NULL);
}

int main(void) {
#pragma omp parallel
#pragma omp single
  for (int round = 0; round < 20; ++round) {
    by_its_own_body();
    by_the_parent();
    by_a_sibling();
    by_another_thread();
    by_an_inner_region();
    with_children();
  }
  for (int round = 0; round < 10; ++round) at_the_barrier();
  return check_result();
}
