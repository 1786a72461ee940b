// rooms MS ASKED [until]: runs regions of ASKED threads for so long, and prints how many of those in the second half
// had so many threads, and how many had fewer. `until`: ends at the first region that has them all after one that
// had fewer.
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

static void compute(void) {
  for (volatile int i = 0; i < 2000; ++i) {}
}

int main(int count, char** words) {
  const double seconds = atof(words[1]) / 1e3;
  const int asked = atoi(words[2]);
  const double begin = omp_get_wtime();
  int whole = 0, fewer = 0, narrow = 0;
  for (double now = begin; now < begin + seconds; now = omp_get_wtime()) {
    int size = 0;
#pragma omp parallel num_threads(asked)
    {
      compute();
#pragma omp single
      size = omp_get_num_threads();
    }
    narrow |= size < asked;
    if (count > 3 && narrow && size == asked) {
      puts("1 0");
      return 0;
    }
    if (now < begin + seconds / 2) continue;
    if (size == asked) ++whole;
    else ++fewer;
  }
  printf("%d %d\n", whole, fewer);
  return 0;
}
