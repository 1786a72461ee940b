// Threads of the program start regions of their own at the same time, end, and are followed by
// others: 200 roots in all.
#include <omp.h>
#include <pthread.h>

#include "check.h"

enum { kWaves = 25, kAtOnce = 8 };

static int work(int n) {
  int sum = 0;
#pragma omp parallel num_threads(n)
  {
    CHECK_EQ(omp_get_num_threads(), n);
    CHECK_EQ(omp_get_level(), 1);
#pragma omp for reduction(+ : sum) schedule(dynamic)
    for (int i = 0; i < 100; ++i) sum += i;
#pragma omp single
    ++sum;
  }
  return sum;
}

static void* root(void* argument) {
  int id = (int)(long)argument, threads = 1 + id % 4;
  CHECK_EQ(omp_get_level(), 0);
  CHECK_EQ(omp_get_thread_num(), 0);
  CHECK_EQ(omp_in_parallel(), 0);
  omp_set_num_threads(threads);
  for (int round = 0; round < 5; ++round) CHECK_EQ(work(threads), 4951);
  CHECK_EQ(omp_get_max_threads(), threads);
  return NULL;
}

int main(void) {
  int before = omp_get_max_threads();
  for (int wave = 0; wave < kWaves; ++wave) {
    pthread_t threads[kAtOnce];
    for (long i = 0; i < kAtOnce; ++i)
      if (pthread_create(&threads[i], NULL, root, (void*)i)) abort();
    CHECK_EQ(work(2), 4951);
    for (int i = 0; i < kAtOnce; ++i) pthread_join(threads[i], NULL);
  }
  CHECK_EQ(omp_get_max_threads(), before);
  CHECK_EQ(work(before), 4951);
  return check_result();
}
