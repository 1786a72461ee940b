// The system refuses threads: regions run with those that there are, also while some of them are only
// beginning on their places, and have all of them once the system gives more.
// test: uses threads=7
// test: variant near machine=plain-2x4
// test: variant places machine=plain-2x4 OMP_PLACES=cores OMP_PROC_BIND=spread
// test: variant inner machine=plain-2x4 OMP_MAX_ACTIVE_LEVELS=2
// test: peer gcc-12 it ends the program
// test: peer clang-19 it ends the program
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <omp.h>
#include <pthread.h>

#include "check.h"

typedef int Create(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*);

static int left = 0;  // how many more threads the system gives

// In place of the C library's. The runtime starts one thread at a time.
int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*run)(void*),
                   void* argument) {
  if (__atomic_load_n(&left, __ATOMIC_RELAXED) == 0) return EAGAIN;
  __atomic_fetch_sub(&left, 1, __ATOMIC_RELAXED);
  Create* const real = (Create*)dlsym(RTLD_NEXT, "pthread_create");
  return real(thread, attributes, run, argument);
}

static void give(int threads) { __atomic_store_n(&left, threads, __ATOMIC_RELAXED); }

// A region of so many threads; returns how many it has.
static int region(int threads) {
  int size = 0, sum = 0;
#pragma omp parallel num_threads(threads) reduction(+ : sum)
  {
    sum += omp_get_thread_num() + 1;
#pragma omp single
    size = omp_get_num_threads();
#pragma omp for schedule(dynamic)
    for (int i = 0; i < 100; ++i) sum += i;
  }
  CHECK_EQ(sum, size * (size + 1) / 2 + 4950);
  return size;
}

static void grow(int threads) {
  give(0);
  CHECK_EQ(region(threads), 1);
  give(2);
  CHECK_EQ(region(threads), 3);
  CHECK_EQ(region(2), 2);
  CHECK_EQ(region(threads), 3);
  give(threads - 4);
  CHECK_EQ(region(threads), threads - 1);
  CHECK_EQ(region(threads + 1), threads - 1);
  give(1);
  CHECK_EQ(region(threads), threads);
  CHECK_EQ(region(threads), threads);
}

int main(void) {
  grow(omp_get_max_threads());
  if (omp_get_max_active_levels() == 1) return check_result();
#pragma omp parallel num_threads(2)
#pragma omp masked
  grow(omp_get_max_threads());
  return check_result();
}
