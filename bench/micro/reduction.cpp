// reduction.cpp: reductions on a region and on a loop.
//
// There are three variables besides one, because compilers call the runtime for more than one: gcc
// takes its atomic lock, clang offers __kmpc_reduce a choice of methods.
#include <omp.h>

#include "construct.hpp"

namespace bench {
namespace {

bool parallel_reduction(long ops, int threads) {
  long total = 0;
  for (long i = 0; i < ops; ++i) {
#pragma omp parallel reduction(+ : total)
    total += 1;
  }
  return total == ops * threads;
}

bool for_reduction(long ops, int threads) {
  long total = 0;
#pragma omp parallel
  for (long i = 0; i < ops; ++i) {
#pragma omp for reduction(+ : total)
    for (int k = 0; k < threads; ++k) total += 1;
  }
  return total == ops * threads;
}

bool for_reduction_of_three(long ops, int threads) {
  double a = 0;
  double b = 0;
  long c = 0;
#pragma omp parallel
  for (long i = 0; i < ops; ++i) {
#pragma omp for reduction(+ : a, b, c)
    for (int k = 0; k < threads; ++k) {
      a += 1;
      b += 2;
      c += 3;
    }
  }
  const double n = static_cast<double>(ops) * threads;
  return a == n && b == 2 * n && c == 3 * ops * threads;
}

constexpr Construct kFamily[] = {
    {"parallel_reduction", "region reducing one long", parallel_reduction},
    {"for_reduction", "loop reducing one long", for_reduction},
    {"for_reduction_3", "loop reducing three variables", for_reduction_of_three},
};

}  // namespace

std::span<const Construct> reduction_family() { return kFamily; }

}  // namespace bench
