// reduction.cpp: reductions on a region and on a loop.
//
// There are three variables besides one, because compilers call the runtime for more than one: gcc
// takes its atomic lock, clang offers __kmpc_reduce a choice of methods.
#include <omp.h>

#include <array>
#include <span>
#include <utility>

#include "construct.hpp"
#include "identity.hpp"

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

// The sums have to come in the order of the iterations. Not one iteration for each thread: clang's
// code for a scan of one iteration writes outside of its array.
bool parallel_scan(long ops, int threads) {
  std::array<long, 2 * kMaxThreads> sums{};
  const auto used = std::span(sums).first(2 * static_cast<size_t>(threads));
  long wrong = 0;
  for (long i = 0; i < ops; ++i) {
    long sum = 0;
#pragma omp parallel for reduction(inscan, + : sum)
    for (size_t k = 0; k < used.size(); ++k) {
      sum += 1;
#pragma omp scan inclusive(sum)
      used[k] = sum;
    }
    for (long expected = 1; long& found : used) wrong += std::exchange(found, 0) != expected++;
  }
  return wrong == 0;
}

// libomp 19 ends the program: "libgomp compatibility layer does not support OpenMP feature: scan".
bool ends_program(int) { return by_gcc_on_libomp(); }

constexpr Construct kFamily[] = {
    {"parallel_reduction", "region reducing one long", parallel_reduction},
    {"for_reduction", "loop reducing one long", for_reduction},
    {"for_reduction_3", "loop reducing three variables", for_reduction_of_three},
    {"parallel_scan", "region that is a loop with a scan of one long", parallel_scan, ends_program},
};

}  // namespace

std::span<const Construct> reduction_family() { return kFamily; }

}  // namespace bench
