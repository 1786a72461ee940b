// Each thread of the runtime has the stack that the program's user asks for, on each level and however late it is
// started: a function that needs most of it runs there.
// test: uses threads=2,5
// test: uses OMP_MAX_ACTIVE_LEVELS=2 OMP_STACKSIZE=40M
// test: variant no_unit OMP_STACKSIZE=40960
// test: variant bytes OMP_STACKSIZE=41943040b
// test: variant kmp clang-19 OMP_STACKSIZE= KMP_STACKSIZE=40m
// test: variant gomp gcc-12 OMP_STACKSIZE= GOMP_STACKSIZE=40960
// test: variant places OMP_PLACES=threads OMP_PROC_BIND=close
// test: unsanitized address its stacks have guards of their own
#define _GNU_SOURCE
#include <omp.h>
#include <pthread.h>

#include "check.h"

enum { kPage = 4096, kSize = 36 << 20 };

// Uses the pages from the top of the stack down, as calls do.
__attribute__((noinline)) static long use_stack(int seed) {
  volatile char room[kSize];
  for (long i = kSize - 1; i >= 0; i -= kPage) room[i] = (char)seed;
  long sum = 0;
  for (long i = kSize - 1; i >= 0; i -= kPage) sum += room[i];
  return sum;
}

static long limit_of(void) {
  pthread_attr_t attributes;
  size_t size = 0;
  CHECK_EQ(pthread_getattr_np(pthread_self(), &attributes), 0);
  pthread_attr_getstacksize(&attributes, &size);
  pthread_attr_destroy(&attributes);
  return (long)size;
}

// The initial thread has its stack from the system.
static void use_mine(int is_started) {
  if (!is_started) return;
  CHECK(limit_of() >= 40 << 20);
  CHECK_EQ(use_stack(3), 3L * kSize / kPage);
}

int main(void) {
  for (int threads = 2; threads <= omp_get_max_threads() + 1; ++threads) {
#pragma omp parallel num_threads(threads)
    {
      const int is_started = omp_get_thread_num() > 0;
      use_mine(is_started);
#pragma omp parallel num_threads(2)
      use_mine(is_started || omp_get_thread_num() > 0);
    }
  }
  return check_result();
}
