// A library that a program without OpenMP loads and unloads; see dlopen_unload.c.
#include <omp.h>

int plugin_sum(int n);
int plugin_sum(int n) {
  int sum = 0;
#pragma omp parallel for reduction(+ : sum) schedule(dynamic, 3)
  for (int i = 0; i < n; ++i) sum += i;
  return omp_get_max_threads() > 0 ? sum : -1;
}
