// A library with regions of its own; its function returns the size of their team.
#include <omp.h>

int plugin_regions(int threads, int times) {
  int widest = 0;
  for (int t = 0; t < times; ++t) {
#pragma omp parallel num_threads(threads)
#pragma omp single
    widest = omp_get_num_threads();
  }
  return widest;
}
