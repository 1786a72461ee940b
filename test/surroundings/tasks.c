// Regions whose last member spawns tasks before the final barrier, and taskloops, with checked
// answers.
#include <omp.h>
#include <stdio.h>

static void spin(double seconds) {
  const double end = omp_get_wtime() + seconds;
  while (omp_get_wtime() < end) {
  }
}

int main(void) {
  int tasks = 0;
  for (int round = 0; round < 1500; ++round) {
#pragma omp parallel
    if (omp_get_thread_num() == omp_get_num_threads() - 1) {
#pragma omp task
      {
        spin((3 + round % 7 * 4) * 1e-6);
#pragma omp atomic
        ++tasks;
      }
#pragma omp task
      {
        spin((2 + round % 5 * 4) * 1e-6);
#pragma omp atomic
        ++tasks;
      }
    }
  }
  long sum = 0;
  for (int round = 0; round < 20; ++round) {
#pragma omp parallel
#pragma omp single
#pragma omp taskloop num_tasks(200)
    for (int i = 0; i < 2000; ++i) {
#pragma omp atomic
      sum += i;
    }
  }
  if (tasks == 3000 && sum == 20L * 1999 * 1000) return 0;
  fprintf(stderr, "%d tasks, sum %ld\n", tasks, sum);
  return 1;
}
