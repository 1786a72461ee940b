// nqueens: counts the ways to place n queens on a board, a task for each queen that finds a place.
//
// test: variant untied -DUNTIED
#include "nqueens_tasks.hpp"

int main(int argc, char** argv) {
  return bench::kernel_main<bench::QueensInTasks<bench::Queens::kMost>>(argc, argv);
}
