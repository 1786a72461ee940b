// The thread that ran main ends. Another thread goes on with regions and ends the program.
// test: exit 5
// test: unsanitized thread gcc-12's library for it aborts when the main thread is joined
// test: unsanitized address what dlerror() keeps for the main thread is a leak to it when that thread has ended
#include <omp.h>
#include <pthread.h>

#include "check.h"

static pthread_t first;

static void* other(void* unused) {
  (void)unused;
  pthread_join(first, NULL);
  for (int round = 0; round < 20; ++round) {
    int count = 0;
#pragma omp parallel reduction(+ : count)
    ++count;
    CHECK_EQ(count, omp_get_max_threads());
  }
  exit(check_result() ? 1 : 5);
}

int main(void) {
  first = pthread_self();
#pragma omp parallel
  CHECK_EQ(omp_get_level(), 1);
  pthread_t thread;
  if (pthread_create(&thread, NULL, other, NULL)) abort();
  pthread_exit(NULL);
}
