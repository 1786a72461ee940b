// 5.0: `metadirective`
#include <omp.h>

int main(void) {
  int sum = 0;
#pragma omp metadirective when(user = {condition(1)} : parallel for reduction(+ : sum)) default( \
        nothing)
  for (int i = 0; i < 100; ++i) sum += i * omp_get_level();
  return sum != 4950;
}
