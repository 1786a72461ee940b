// 5.0: `collapse` of loops that are not rectangular
// test: omp/for_collapse
#include <omp.h>

int main(void) {
  int sum = 0;
#pragma omp parallel for collapse(2) reduction(+ : sum) num_threads(4)
  for (int i = 0; i < 16; ++i)
    for (int j = i; j < 16; ++j) ++sum;
  return sum != 136;
}
