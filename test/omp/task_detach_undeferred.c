// An undeferred task with an event. gcc's construct ends when the event is fulfilled (OpenMP 5.0, as libgomp
// does it), that of clang when the block has ended (5.1, as libomp does it): there the parent may fulfil the event
// afterwards. By both a taskwait and tasks that depend on it come after the event.
// test: variant graphs VICINO_TASKGRAPH=site
#include <omp.h>
#include <pthread.h>
#include <unistd.h>

#include "check.h"

#ifdef __clang__
enum { kWaits = 0 };
#else
enum { kWaits = 1 };
#endif

static omp_event_handle_t present;  // gcc-12 does not compile a clause that names a static variable
static int has_run, fulfilled;

static int get(int* flag) { return __atomic_load_n(flag, __ATOMIC_ACQUIRE); }
static void set(int* flag, int value) { __atomic_store_n(flag, value, __ATOMIC_RELEASE); }

// By the block of the task with the event.
static void tell(omp_event_handle_t event) {
  present = event;
  set(&has_run, 1);
}

static void fulfill_late(void) {
  while (!get(&has_run)) usleep(100);
  usleep(5000);
  set(&fulfilled, 1);
  omp_fulfill_event(present);
}

static void* thread(void* unused) {
  fulfill_late();
  return unused;
}

static pthread_t begin(void) {
  has_run = fulfilled = 0;
  pthread_t started;
  CHECK_EQ(pthread_create(&started, NULL, thread, NULL), 0);
  return started;
}

static void by_another_thread(int condition) {
  omp_event_handle_t event = 0;
  const pthread_t started = begin();
#pragma omp task if (condition) detach(event) shared(has_run)
  tell(event);
  if (kWaits && !condition) CHECK_EQ(get(&fulfilled), 1);
#pragma omp taskwait
  CHECK_EQ(get(&fulfilled), 1);
  pthread_join(started, NULL);
}

static void by_its_own_block(void) {
  omp_event_handle_t event = 0;
  has_run = 0;
#pragma omp task if (0) detach(event) shared(has_run)
  {
    omp_fulfill_event(event);
    set(&has_run, 1);
  }
  CHECK_EQ(get(&has_run), 1);
}

// Nine dependences are more than the runtime keeps without allocating.
static void with_dependences(void) {
  omp_event_handle_t event = 0;
  static int x[9];
  const pthread_t started = begin();
#pragma omp task shared(x) depend(out : x[0])
  x[0] = 1;
#pragma omp task if (0) detach(event) shared(has_run, x) \
    depend(inout : x[0], x[1], x[2], x[3], x[4], x[5], x[6], x[7], x[8])
  {
    CHECK_EQ(x[0], 1);
    x[0] = 2;
    tell(event);
  }
  if (kWaits) CHECK_EQ(get(&fulfilled), 1);
#pragma omp task if (0) depend(in : x[0]) shared(fulfilled, x)
  {
    CHECK_EQ(x[0], 2);
    if (kWaits) CHECK_EQ(get(&fulfilled), 1);  // clang drops the dependence
  }
#pragma omp taskwait
  pthread_join(started, NULL);
}

// The fulfilling task may be one that the waiting thread itself runs, if the other threads are elsewhere.
static void by_a_sibling(void) {
  omp_event_handle_t event = 0;
  has_run = fulfilled = 0;
#pragma omp task shared(fulfilled)
  fulfill_late();
#pragma omp task if (0) detach(event) shared(has_run)
  tell(event);
  if (kWaits) CHECK_EQ(get(&fulfilled), 1);
#pragma omp taskwait
}

static void by_the_parent(void) {
  omp_event_handle_t event = 0;
  has_run = 0;
#pragma omp task if (0) detach(event) shared(has_run)
  tell(event);
  CHECK_EQ(get(&has_run), 1);
  omp_fulfill_event(event);
#pragma omp taskwait
}

static void all(int threads) {
  for (int round = 0; round < 3; ++round) {
    by_another_thread(0);
    by_another_thread(1);
    by_its_own_block();
    with_dependences();
    if (threads > 1) by_a_sibling();
    if (!kWaits) by_the_parent();
  }
}

int main(void) {
  all(1);
#pragma omp parallel
#pragma omp single
  all(omp_get_num_threads());
  return check_result();
}
