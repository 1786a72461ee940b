// 6.0: `safesync`
#include <omp.h>

int main(void) {
  int threads = 0;
#pragma omp parallel num_threads(2) safesync(1)
  {
#pragma omp atomic
    ++threads;
  }
  return threads < 1;
}
