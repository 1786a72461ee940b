// nqueens_tasks.hpp: nqueens with OpenMP's tasks, for nqueens.cpp and nqueens_cut.cpp.
#pragma once
#include "kernel.hpp"
#include "nqueens.hpp"

namespace bench {

// The ways to place queens from this row on.
inline long count_places(const Queens::Board& board, int row, int n) {
  if (row == n) return 1;
  long sum = 0;
  for (int column = 0; column < n; ++column)
    if (Queens::is_free(board, row, column))
      sum += count_places(Queens::with(board, row, column), row + 1, n);
  return sum;
}

// A task for each queen that finds a place in the rows above `cut_off`.
template <int cut_off>
struct QueensInTasks : Queens {
  using Queens::Queens;

  static long place(const Board& board, int row, int n) {
    if (row == n) return 1;
    if constexpr (cut_off < kMost)
      if (row == cut_off) return count_places(board, row, n);
    long found[kMost] = {};
    for (int column = 0; column < n; ++column) {
      if (!is_free(board, row, column)) continue;
#pragma omp task TIEDNESS shared(board, found)
      found[column] = place(with(board, row, column), row + 1, n);
    }
#pragma omp taskwait
    long sum = 0;
    for (const long number : found) sum += number;
    return sum;
  }

  void run() {
#pragma omp parallel
#pragma omp single
    answer = place({}, 0, n);
  }
};

}  // namespace bench
