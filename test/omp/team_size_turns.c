// Regions with few threads and with many in turn: the threads that a small team does not need are kept for the
// next large one, so no thread is started twice.
// test: uses threads=3,7
// test: variant passive OMP_WAIT_POLICY=passive
// test: variant places OMP_PLACES=threads OMP_PROC_BIND=spread
// test: variant nested OMP_MAX_ACTIVE_LEVELS=2
// test: peer gcc-12 it ends the threads that a smaller team does not need
#define _GNU_SOURCE
#include <dlfcn.h>
#include <omp.h>
#include <pthread.h>

#include "check.h"

typedef int Create(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*);

enum { kRounds = 300 };

static int started = 0;

// In place of the C library's.
int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*run)(void*),
                   void* argument) {
  __atomic_fetch_add(&started, 1, __ATOMIC_RELAXED);
  Create* const real = (Create*)dlsym(RTLD_NEXT, "pthread_create");
  return real(thread, attributes, run, argument);
}

static void region(int threads) {
  int members = 0;
#pragma omp parallel num_threads(threads) reduction(+ : members)
  ++members;
  CHECK_EQ(members, threads);
}

// The inner team is a small one, then a large one, of the same outer member.
static void inner(int threads) {
#pragma omp parallel num_threads(2)
  {
    int members = 0;
    if (omp_get_thread_num() == 0) {
#pragma omp parallel num_threads(threads) reduction(+ : members)
      ++members;
      CHECK_EQ(members, threads);
    }
  }
}

static int count_of(void) { return __atomic_load_n(&started, __ATOMIC_RELAXED); }

int main(void) {
  const int most = omp_get_max_threads();
  const int nests = omp_get_max_active_levels() > 1;
  region(most);
  if (nests) inner(most);
  // libomp has a thread of its own for other ends, which it starts some time.
  const int enough = count_of() + 1;
  for (int round = 0; round < kRounds; ++round) {
    region(1 + round % (most - 1));
    region(most);
    if (!nests) continue;
    inner(2);
    inner(most);
  }
  CHECK(count_of() <= enough);
  if (!nests) CHECK(count_of() <= most);
  return check_result();
}
