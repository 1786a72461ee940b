// 5.1: `order(reproducible : concurrent)`
#include <omp.h>

int main(void) {
  int a[64], wrong = 0;
#pragma omp parallel for order(reproducible : concurrent) num_threads(4)
  for (int i = 0; i < 64; ++i) a[i] = i;
  for (int i = 0; i < 64; ++i) wrong += a[i] != i;
  return wrong;
}
