// 5.0: `reduction(task, …)`, `in_reduction`
// test: omp/task_reduction
#include <omp.h>

int main(void) {
  int sum = 0;
#pragma omp parallel num_threads(2) reduction(task, + : sum)
#pragma omp single
  for (int i = 0; i < 8; ++i) {
#pragma omp task in_reduction(+ : sum)
    sum += i;
  }
  return sum != 28;
}
