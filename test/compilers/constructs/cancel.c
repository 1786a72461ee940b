// 5.0: `cancel`, `cancellation point`
// test: omp/cancel
#include <omp.h>

int main(void) {
  int sum = 0;
#pragma omp parallel num_threads(4) reduction(+ : sum)
  {
#pragma omp for
    for (int i = 0; i < 8; ++i) {
#pragma omp cancel for if (i < 0)
#pragma omp cancellation point for
      sum += i;
    }
  }
  return sum != 28;
}
