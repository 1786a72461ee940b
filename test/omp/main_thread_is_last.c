// main() ends its own thread. The process ends with the last thread of the program: the runtime's do not keep it.
// test: peer clang-19 libomp-19 its threads keep the process for ever
// test: unsanitized thread gcc-12's library for it aborts when the main thread is joined
// test: unsanitized address what dlerror() keeps for the main thread is a leak to it when that thread has ended
#include <omp.h>
#include <pthread.h>
#include <unistd.h>

#include "check.h"

static pthread_t first;

static void* other(void* unused) {
  pthread_join(first, NULL);
  usleep(10000);
#pragma omp parallel
  CHECK_EQ(omp_get_level(), 1);
  if (check_result() != 0) _exit(1);
  return unused;
}

int main(void) {
  alarm(30);
  first = pthread_self();
#pragma omp parallel
  CHECK_EQ(omp_get_level(), 1);
  pthread_t thread;
  if (pthread_create(&thread, NULL, other, NULL)) abort();
  pthread_exit(NULL);
}
