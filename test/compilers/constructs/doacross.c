// 5.2: `ordered doacross(sink:, source:)`
// test: omp/doacross
#include <omp.h>

int main(void) {
  int a[65] = {1};
#pragma omp parallel for ordered(1) num_threads(4) schedule(static, 1)
  for (int i = 1; i < 65; ++i) {
#pragma omp ordered doacross(sink : i - 1)
    a[i] = a[i - 1] + 1;
#pragma omp ordered doacross(source:)
  }
  return a[64] != 65;
}
