// Threads of the program that use OpenMP and end leave nothing behind, however many there have been.
// test: uses threads=2
// test: unsanitized thread its shadow memory grows with the threads that have been
// test: unsanitized address memory that was freed is kept for a while
#include <malloc.h>
#include <omp.h>
#include <pthread.h>
#include <unistd.h>

#include "check.h"

static long resident(void) {
  long pages = 0;
  FILE* file = fopen("/proc/self/statm", "r");
  malloc_trim(0);
  CHECK(file != NULL && fscanf(file, "%*d %ld", &pages) == 1);
  fclose(file);
  return pages * sysconf(_SC_PAGESIZE);
}

static void* root(void* given) {
  int threads = 0;
#pragma omp parallel num_threads(1) reduction(+ : threads)
  ++threads;
  CHECK_EQ(threads, 1);
  return given;
}

static void run_roots(int count) {
  for (int i = 0; i < count; ++i) {
    pthread_t thread;
    CHECK_EQ(pthread_create(&thread, NULL, root, NULL), 0);
    pthread_join(thread, NULL);
  }
}

int main(void) {
  enum { kRoots = 16000, kAllowance = 1 << 20 };  // 64 bytes a thread
  run_roots(1000);
  const long before = resident();
  run_roots(kRoots);
  CHECK(resident() - before < kAllowance);
  return check_result();
}
