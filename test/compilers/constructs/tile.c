// 5.1: `tile`, `unroll`
#include <omp.h>

int main(void) {
  int sum = 0;
#pragma omp parallel for reduction(+ : sum) num_threads(2)
#pragma omp tile sizes(4)
  for (int i = 0; i < 100; ++i) sum += i;
#pragma omp unroll partial(4)
  for (int i = 0; i < 100; ++i) sum += i;
  return sum != 9900;
}
