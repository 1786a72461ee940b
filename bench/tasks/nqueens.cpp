// nqueens: counts the ways to place n queens on a board, a task for each queen that finds a place.
//
// test: variant untied -DUNTIED
#include "nqueens.hpp"

#include "kernel.hpp"

namespace {

using bench::Queens;

long place(const Queens::Board& board, int row, int n) {
  if (row == n) return 1;
  long found[Queens::kMost] = {};
  for (int column = 0; column < n; ++column) {
    if (!Queens::is_free(board, row, column)) continue;
#pragma omp task TIEDNESS shared(board, found)
    found[column] = place(Queens::with(board, row, column), row + 1, n);
  }
#pragma omp taskwait
  long sum = 0;
  for (const long count : found) sum += count;
  return sum;
}

struct Kernel : Queens {
  using Queens::Queens;
  void run() {
#pragma omp parallel
#pragma omp single
    answer = place({}, 0, n);
  }
};

}  // namespace

int main(int argc, char** argv) { return bench::kernel_main<Kernel>(argc, argv); }
