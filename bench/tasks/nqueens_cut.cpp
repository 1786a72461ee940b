// nqueens_cut: nqueens whose tasks stop at the third row, as BOTS has it with its cut-off: some hundreds of tasks that take
// long, and not one of a fraction of a microsecond for each queen.
//
// test: variant untied -DUNTIED
#include "kernel.hpp"
#include "nqueens.hpp"

namespace {

using bench::Queens;

constexpr int kCutOff = 3;

long count(const Queens::Board& board, int row, int n) {
  if (row == n) return 1;
  long sum = 0;
  for (int column = 0; column < n; ++column)
    if (Queens::is_free(board, row, column))
      sum += count(Queens::with(board, row, column), row + 1, n);
  return sum;
}

long place(const Queens::Board& board, int row, int n) {
  if (row == kCutOff) return count(board, row, n);
  long found[Queens::kMost] = {};
  for (int column = 0; column < n; ++column) {
    if (!Queens::is_free(board, row, column)) continue;
#pragma omp task TIEDNESS shared(board, found)
    found[column] = place(Queens::with(board, row, column), row + 1, n);
  }
#pragma omp taskwait
  long sum = 0;
  for (const long number : found) sum += number;
  return sum;
}

struct Kernel : Queens {
  static constexpr const char* kName = "nqueens_cut";
  using Queens::Queens;
  void run() {
#pragma omp parallel
#pragma omp single
    answer = place({}, 0, n);
  }
};

}  // namespace

int main(int argc, char** argv) { return bench::kernel_main<Kernel>(argc, argv); }
