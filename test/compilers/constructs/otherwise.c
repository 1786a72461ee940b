// 5.2: `metadirective` with `otherwise`
#include <omp.h>

int main(void) {
  int sum = 0;
#pragma omp metadirective when(user = {condition(0)} : nothing) \
    otherwise(parallel for reduction(+ : sum))
  for (int i = 0; i < 100; ++i) sum += i * omp_get_level();
  return sum != 4950;
}
