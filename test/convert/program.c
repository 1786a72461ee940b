/* Loops of many forms whose answers are whole numbers, so no schedule may change them. With an
   argument the program prints which thread ran each iteration of one loop instead. */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

enum { kSize = 1000, kShort = 12 };

static long values[kSize], squares[kSize], sums[kSize];

static void orphan(void) {
#pragma omp for
  for (int i = 0; i < kSize; ++i) squares[i] = values[i] * values[i];
}

static long triangle(void) {
  long total = 0, most = 0;
#pragma omp parallel for reduction(+ : total) reduction(max : most)
  for (int i = 0; i < kSize; ++i)
    for (int j = 0; j <= i; ++j) {
      total += j;
      most = most > j ? most : j;
    }
  return total + most;
}

static long rows(int columns) {
  long total = 0, biggest = 0;
#pragma omp parallel for simd collapse(2) reduction(+ : total) reduction(max : biggest) \
    if (columns > 1) num_threads(3)
  for (int i = 0; i < 40; ++i)
    for (int j = 0; j < columns; ++j) {
      total += i * j;
      biggest = biggest > i * j ? biggest : i * j;
    }
  return total + biggest;
}

static void region(long by) {
  int j;
  long scratch;
#pragma omp parallel private(j, scratch)
  {
#pragma omp for
    for (int i = 0; i < kSize; ++i) values[i] = (i * 7 + by) % 100;
    orphan();
#pragma omp for
    for (int i = 0; i < kSize; ++i) {
      scratch = 0;
      for (j = i; j < kSize; ++j) scratch += squares[j];
      sums[i] = scratch;
    }
#pragma omp for nowait
    for (unsigned long i = 0; i < kSize; ++i) sums[i] += values[i];
#pragma omp for schedule(static) /* counts on the distribution of the one before */
    for (unsigned long i = 0; i < kSize; ++i) sums[i] *= 3;
#pragma omp for firstprivate(by)
    for (int i = kSize - 1; i >= 0; i -= 3) values[i] -= by;
  }
}

static void map(void) {
  int ran[kShort];
#pragma omp parallel for num_threads(4)
  for (int i = 0; i < kShort; ++i) ran[i] = omp_get_thread_num();
  for (int i = 0; i < kShort; ++i) printf("%d ", ran[i]);
  printf("\n");
}

int main(int count, char** arguments) {
  (void)arguments;
  if (count > 1) {
    map();
    return 0;
  }
  for (long by = 0; by < 3; ++by) {
    region(by);
    long check = 0;
#pragma omp parallel for reduction(^ : check)
    for (long* at = sums; at < sums + kSize; ++at) check ^= *at + values[at - sums];
    printf("%ld: %ld %ld %ld\n", by, check, triangle(), rows(17));
  }
  return 0;
}
