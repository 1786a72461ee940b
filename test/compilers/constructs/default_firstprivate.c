// 5.1: `default(firstprivate)`
#include <omp.h>

int main(void) {
  int a = 3, sum = 0;
#pragma omp parallel num_threads(2) default(firstprivate) reduction(+ : sum)
  {
    a += 1;
    sum += a == 4;
  }
  return sum < 1 || a != 3;
}
