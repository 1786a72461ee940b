// Threads of the program that use OpenMP and end leave nothing behind, neither memory nor threads of a team, however
// many there have been.
// test: peer clang-19 libomp-19 ends by a signal
// test: uses threads=2
// test: unsanitized thread its shadow memory grows with the threads that have been
// test: unsanitized address memory that was freed is kept for a while
// test: native the emulator's own memory is counted too
#include <malloc.h>
#include <omp.h>
#include <pthread.h>
#include <unistd.h>

#include "check.h"
#include "threads_now.h"

static long resident(void) {
  long pages = 0;
  FILE* file = fopen("/proc/self/statm", "r");
  malloc_trim(0);
  CHECK(file != NULL && fscanf(file, "%*d %ld", &pages) == 1);
  fclose(file);
  return pages * sysconf(_SC_PAGESIZE);
}

static int team_size;

static void* root(void* given) {
  int threads = 0, tasks = 0;
#pragma omp parallel num_threads(team_size) reduction(+ : threads) shared(tasks)
  {
    ++threads;
#pragma omp task
#pragma omp atomic
    ++tasks;
  }
  CHECK_EQ(threads, team_size);
  // A smaller team after the first one, unless that had one thread.
#pragma omp parallel num_threads(team_size > 2 ? 2 : 1)
#pragma omp single
  for (int i = 0; i < 4; ++i) {
#pragma omp task
#pragma omp atomic
    ++tasks;
  }
  CHECK_EQ(tasks, team_size + 4);
  return given;
}

// Two at a time.
static void run_roots(int count) {
  for (int i = 0; i < count; i += 2) {
    pthread_t one, other;
    CHECK_EQ(pthread_create(&one, NULL, root, NULL), 0);
    CHECK_EQ(pthread_create(&other, NULL, root, NULL), 0);
    pthread_join(one, NULL);
    pthread_join(other, NULL);
  }
}

// `allowance`: in bytes, for each of the roots.
static void check_roots(int threads, int count, long allowance) {
  enum { kOwn = 1, kRoots = 2 };
  team_size = threads;
  run_roots(1000);
  const long before = resident();
  run_roots(count);
  CHECK(resident() - before < allowance * count);
  // Some that have just ended may still be there.
  CHECK(threads_now() <= 2 * (kOwn + kRoots * threads));
}

int main(void) {
  check_roots(1, 16000, 64);
  check_roots(3, 4000, 256);
  return check_result();
}
