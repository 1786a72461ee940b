// A place may be taken away from the process just before a thread is to begin there. The thread begins anywhere then.
// test: uses OMP_PLACES=threads OMP_PROC_BIND=close threads=2,4,7
// test: peer gcc-12 it ends the program
// test: peer clang-19 its threads bind themselves
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <omp.h>
#include <pthread.h>
#include <sched.h>

#include "check.h"

typedef int Create(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*);

static int refuses_places, on_places, anywhere;

static int has_place(const pthread_attr_t* attributes) {
  cpu_set_t set;
  return attributes != NULL && pthread_attr_getaffinity_np(attributes, sizeof set, &set) == 0 &&
         CPU_COUNT(&set) < CPU_SETSIZE;
}

// In place of the C library's. The kernel refuses CPUs of which the process may use none.
int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*run)(void*),
                   void* argument) {
  const int its_place = has_place(attributes);
  ++*(its_place ? &on_places : &anywhere);
  if (its_place && refuses_places) return EINVAL;
  Create* const real = (Create*)dlsym(RTLD_NEXT, "pthread_create");
  return real(thread, attributes, run, argument);
}

static void region(int threads) {
  int count = 0;
#pragma omp parallel num_threads(threads) reduction(+ : count)
  ++count;
  CHECK_EQ(count, threads);
}

int main(void) {
  const int threads = omp_get_max_threads();
  refuses_places = 1;
  region(threads);
  CHECK_EQ(on_places, threads - 1);
  CHECK_EQ(anywhere, threads - 1);
  refuses_places = 0;
  region(threads + 2);
  CHECK_EQ(on_places, threads + 1);
  CHECK_EQ(anywhere, threads - 1);
  return check_result();
}
