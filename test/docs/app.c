// What the pages of docs/howto call ./app: some short regions, a loop whose schedule is chosen at run time, no output.
#include <stdlib.h>

int main(void) {
  enum { kLength = 4000, kSteps = 100 };
  double* a = calloc(kLength, sizeof *a);
  if (a == NULL) return 1;
  for (int step = 0; step < kSteps; ++step) {
#pragma omp parallel for schedule(runtime)
    for (int i = 0; i < kLength; ++i)
      for (int k = 0; k < i / 8; ++k) a[i] += 1.0 / (k + 1);
  }
  const int right = a[0] == 0 && a[kLength - 1] > kSteps;
  free(a);
  return right ? 0 : 1;
}
