/* A region, a loop and a reduction; prints how many threads there were. */
#include <omp.h>
#include <stdio.h>

int main(void) {
  long sum = 0;
  int threads = 0;
#pragma omp parallel
  {
#pragma omp single
    threads = omp_get_num_threads();
#pragma omp for schedule(dynamic, 10) reduction(+ : sum)
    for (long i = 0; i < 1000; i++) sum += i;
  }
  printf("sum %ld threads %d\n", sum, threads);
  return 0;
}
