// nqueens, on oneTBB.
#include "../nqueens.hpp"

#include <tbb/task_group.h>

#include "../kernel.hpp"
#include "arena.hpp"

namespace {

using bench::Queens;

long place(const Queens::Board& board, int row, int n) {
  if (row == n) return 1;
  long found[Queens::kMost] = {};
  tbb::task_group group;
  for (int column = 0; column < n; ++column)
    if (Queens::is_free(board, row, column))
      group.run([&board, &found, row, column, n] {
        found[column] = place(Queens::with(board, row, column), row + 1, n);
      });
  group.wait();
  long sum = 0;
  for (const long count : found) sum += count;
  return sum;
}

struct Kernel : Queens {
  using Queens::Queens;
  void run() {
    bench::in_arena([this] { answer = place({}, 0, n); });
  }
};

}  // namespace

int main(int argc, char** argv) { return bench::kernel_main<Kernel>(argc, argv); }
