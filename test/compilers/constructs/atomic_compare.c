// 5.1: `atomic compare`
// test: omp/atomic_compare
#include <omp.h>

int main(void) {
  int least = 1000;
#pragma omp parallel for num_threads(4)
  for (int i = 0; i < 100; ++i) {
    int x = 100 - i;
#pragma omp atomic compare
    if (x < least) {
      least = x;
    }
  }
  return least != 1;
}
