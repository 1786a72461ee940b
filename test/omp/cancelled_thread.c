// A cancelled thread makes its first calls of OpenMP: they are no cancellation points, so all is done, and
// the thread ends afterwards.
// test: unsanitized address it takes what a cancelled thread had on its stack for still in use
#include <pthread.h>

#include "check.h"

enum { kThreads = 20 };

static int counted;

static void* count(void* unused) {
  pthread_cancel(pthread_self());
  int members = 0;
#pragma omp parallel num_threads(2) reduction(+ : members)
  members += 1;
#pragma omp parallel for schedule(runtime) num_threads(2) reduction(+ : members)
  for (int i = 0; i < 8; ++i) members += 1;
  __atomic_fetch_add(&counted, members, __ATOMIC_RELAXED);
  pthread_testcancel();
  return unused;
}

static pthread_t begin(void) {
  pthread_t thread;
  CHECK_EQ(pthread_create(&thread, NULL, count, NULL), 0);
  return thread;
}

static void end(pthread_t thread) {
  void* result = NULL;
  CHECK_EQ(pthread_join(thread, &result), 0);
  CHECK(result == PTHREAD_CANCELED);
}

int main(void) {
  end(begin());  // it makes the process's first call
  pthread_t threads[kThreads];
  for (int i = 0; i < kThreads; ++i) threads[i] = begin();
  for (int i = 0; i < kThreads; ++i) end(threads[i]);
  CHECK_EQ(counted, (kThreads + 1) * 10);
  return check_result();
}
