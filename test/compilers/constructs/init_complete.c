// 6.0: `scan init_complete`
#include <omp.h>

int main(void) {
  int a[64], sum = 0, wrong = 0;
#pragma omp parallel for reduction(inscan, + : sum) num_threads(4)
  for (int i = 0; i < 64; ++i) {
    int mine = 0;
#pragma omp scan init_complete
    mine = i;
    sum += mine;
#pragma omp scan inclusive(sum)
    a[i] = sum;
  }
  for (int i = 0; i < 64; ++i) wrong += a[i] != i * (i + 1) / 2;
  return wrong;
}
