// 5.0: `loop`
#include <omp.h>

int main(void) {
  int sum = 0;
#pragma omp parallel num_threads(4)
#pragma omp loop reduction(+ : sum)
  for (int i = 0; i < 100; ++i) sum += i;
  return sum != 4950;
}
