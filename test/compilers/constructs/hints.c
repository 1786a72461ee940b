// 5.0: `hint` of `critical` and `atomic`
#include <omp.h>

int main(void) {
  int sum = 0, other = 0;
#pragma omp parallel for num_threads(4)
  for (int i = 0; i < 100; ++i) {
#pragma omp atomic hint(omp_sync_hint_contended)
    sum += i;
#pragma omp critical(name) hint(omp_sync_hint_uncontended)
    other -= i;
  }
  return sum + other;
}
