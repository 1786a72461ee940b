// 6.0: `threadset(omp_pool)`
// test: omp/free_agents
#include <omp.h>

int main(void) {
  int sum = 0;
#pragma omp parallel num_threads(2)
#pragma omp single
  for (int i = 0; i < 100; ++i) {
#pragma omp task threadset(omp_pool) shared(sum)
    {
#pragma omp atomic
      sum += i;
    }
  }
  return sum != 4950;
}
