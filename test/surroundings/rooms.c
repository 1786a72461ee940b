// rooms MS ASKED [until]: runs regions of ASKED threads for so long, and prints how many of those in the second half
// had so many threads, and how many had fewer. `until`: says so in a line of its own when a region has had fewer,
// and ends at the first one after it that has them all: "1 0", or "0 0" if there was none.
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

static void compute(void) {
  for (volatile int i = 0; i < 2000; ++i) {
  }
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
    if (count > 3 && size < asked && !narrow) {
      narrow = 1;
      puts("narrow");
      fflush(stdout);
    }
    if (narrow && size == asked) {
      puts("1 0");
      return 0;
    }
    if (now < begin + seconds / 2) continue;
    if (size == asked)
      ++whole;
    else
      ++fewer;
  }
  if (count > 3) whole = fewer = 0;
  printf("%d %d\n", whole, fewer);
  return 0;
}
