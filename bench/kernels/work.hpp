// work.hpp: how long work takes of which each step needs the one before, and a tree of tasks that divides work.
#pragma once
#include <algorithm>
#include <cstdint>
#include <limits>

#include "numbers.hpp"

namespace bench {

// How many steps of walk(steps, seed) a microsecond takes: the fastest of many short tries, for nothing can make a chain of
// dependent operations too fast.
template <class Walk>
double steps_per_us(const Walk& walk, long steps, uint64_t tries) {
  double best = std::numeric_limits<double>::infinity();
  for (uint64_t i = 0; i < tries; ++i) {
    const double start = clock_ns(CLOCK_MONOTONIC);
    walk(steps, i);
    best = std::min(best, clock_ns(CLOCK_MONOTONIC) - start);
  }
  return static_cast<double>(steps) / (best / 1e3);
}

// The sum of leaf(first, count) over all of a binary tree's leaves, each a task, which have at most so many parts. To be
// called in a parallel region.
template <class Leaf>
uint64_t task_tree(long first, long count, long most, const Leaf& leaf) {
  if (count <= most) return leaf(first, count);
  const long half = count / 2;
  uint64_t left = 0, right = 0;
#pragma omp task shared(left, leaf) firstprivate(first, half, most)
  left = task_tree(first, half, most, leaf);
#pragma omp task shared(right, leaf) firstprivate(first, half, count, most)
  right = task_tree(first + half, count - half, most, leaf);
#pragma omp taskwait
  return left + right;
}

}  // namespace bench
