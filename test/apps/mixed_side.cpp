// One side of a process built by two compilers. This file is built once by gcc and once by clang.
#include "mixed_side.hpp"

#include <omp.h>

namespace {

long sum_of_squares(long n) {
  long sum = 0;
#pragma omp parallel for schedule(dynamic, 5) reduction(+ : sum) num_threads(2)
  for (long i = 0; i < n; ++i) sum += i * i;
  return sum;
}

void in_parallel(int threads, void (*visit)(void*), void* argument) {
#pragma omp parallel num_threads(threads)
  visit(argument);
}

void await_team() {
#pragma omp barrier
}

}  // namespace

extern "C" Side side() {
  return {sum_of_squares,           in_parallel,         await_team,
          omp_get_thread_num,       omp_get_num_threads, omp_get_level,
          omp_set_max_active_levels};
}
