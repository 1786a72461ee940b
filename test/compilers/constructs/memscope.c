// 6.0: `memscope`
#include <omp.h>

int main(void) {
  int sum = 0;
#pragma omp parallel num_threads(2)
  {
#pragma omp atomic memscope(all)
    ++sum;
  }
  return sum < 1;
}
