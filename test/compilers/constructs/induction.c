// 6.0: `induction`
#include <omp.h>

int main(void) {
  int a[64], x = 1, wrong = 0;
#pragma omp parallel for induction(step(2), + : x) num_threads(4)
  for (int i = 0; i < 64; ++i) {
    a[i] = x;
    x += 2;
  }
  for (int i = 0; i < 64; ++i) wrong += a[i] != 1 + 2 * i;
  return wrong;
}
