// fork() while another thread fulfils events of tasks outside any region: the child can generate tasks that wait for
// events at the same place, and wait for these.
// test: peer gcc-12 in a team of one it waits for the event before the parent goes on
// test: uses threads=2
// test: unsanitized thread its library lets no child of a process with threads start threads
// test: unsanitized address its allocator is not free in a child if a thread was in it at the fork
// test: native qemu-user 7.2 ends the child of a process with threads
#include <omp.h>
#include <pthread.h>
#include <sched.h>

#include "check.h"
#include "child.h"

enum { kPairs = 2000, kForks = 60 };

static omp_event_handle_t events[kPairs];
static char order[kPairs];
static int published, fulfilled, ran;

static void await(const int* number, int least) {
  while (__atomic_load_n(number, __ATOMIC_ACQUIRE) < least) sched_yield();
}

static void* fulfill_all(void* unused) {
  for (int round = 1; round <= kForks; ++round) {
    await(&published, round);
    for (int i = 0; i < kPairs; ++i) {
      omp_fulfill_event(events[i]);
      __atomic_store_n(&fulfilled, i + 1, __ATOMIC_RELEASE);
    }
  }
  return unused;
}

// Each pair: a task with an event, and one that comes after it.
static void generate(int pairs) {
  for (int i = 0; i < pairs; ++i) {
    omp_event_handle_t event = 0;
#pragma omp task detach(event) depend(out : order[i])
    ;
    events[i] = event;
#pragma omp task depend(in : order[i])
    __atomic_add_fetch(&ran, 1, __ATOMIC_RELAXED);
  }
}

static void* fulfill_ten(void* unused) {
  for (int i = 0; i < 10; ++i) omp_fulfill_event(events[i]);
  return unused;
}

// The child has neither the thread that fulfils, nor waits for what is left of its parent's tasks.
static void use_events(void) {
  int members = 0, more = 0;
#pragma omp parallel num_threads(2) reduction(+ : members)
  ++members;
  CHECK_EQ(members, 2);
  pthread_t thread;
  static char other[10];
#pragma omp taskgroup
  {
    for (int i = 0; i < 10; ++i) {
      omp_event_handle_t event = 0;
#pragma omp task detach(event) depend(out : other[i])
      ;
      events[i] = event;
#pragma omp task depend(in : other[i]) shared(more)
      __atomic_add_fetch(&more, 1, __ATOMIC_RELAXED);
    }
    CHECK_EQ(pthread_create(&thread, NULL, fulfill_ten, NULL), 0);
  }
  CHECK_EQ(more, 10);
  pthread_join(thread, NULL);
}

int main(void) {
  pthread_t thread;
  CHECK_EQ(pthread_create(&thread, NULL, fulfill_all, NULL), 0);
  for (int round = 1; round <= kForks; ++round) {
    ran = 0;
    generate(kPairs);
    __atomic_store_n(&fulfilled, 0, __ATOMIC_RELAXED);
    __atomic_store_n(&published, round, __ATOMIC_RELEASE);
    await(&fulfilled, 1 + round);
    if (check_failures == 0) run_in_child(use_events, 10);
#pragma omp taskwait
    CHECK_EQ(ran, kPairs);
  }
  pthread_join(thread, NULL);
  return check_result();
}
