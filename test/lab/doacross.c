/* A chain of doacross iterations on more threads than CPUs, and the same chain with an array of flags and yields in the
 * program. Prints nanoseconds an iteration: of the nest, then by hand. */
#define _GNU_SOURCE
#include <omp.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>

#include "../../lab/mark.h"

enum { kIterations = 2000 };

static atomic_char done[kIterations];
/* Not static: gcc moves reads and writes of static variables across the calls of a doacross loop. */
long next, wrong;

static void step(long k) {
  wrong += next != k;
  next = k + 1;
}

static void nest(void) {
#pragma omp parallel for ordered(1) schedule(static, 1)
  for (long k = 0; k < kIterations; ++k) {
#pragma omp ordered depend(sink : k - 1)
    step(k);
#pragma omp ordered depend(source)
  }
}

static void by_hand(void) {
#pragma omp parallel for schedule(static, 1)
  for (long k = 0; k < kIterations; ++k) {
    while (k > 0 && atomic_load_explicit(&done[k - 1], memory_order_acquire) == 0) sched_yield();
    step(k);
    atomic_store_explicit(&done[k], 1, memory_order_release);
  }
}

static double ns(void (*chain)(void)) {
  next = 0;
  const double begin = omp_get_wtime();
  chain();
  const double end = omp_get_wtime();
  wrong += next != kIterations;
  return (end - begin) * 1e9 / kIterations;
}

int main(void) {
  ns(nest); /* the threads begin */
  LAB_START();
  const double of_nest = ns(nest), of_flags = ns(by_hand);
  LAB_STOP();
  printf("%.0f %.0f\n", of_nest, of_flags);
  return wrong != 0;
}
