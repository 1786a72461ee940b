// nqueens_cut: nqueens whose tasks end at the third row, as BOTS has it with its cut-off. So there are some hundreds of tasks
// that take long, and not one of a fraction of a microsecond for each queen.
//
// test: variant untied -DUNTIED
#include "nqueens_tasks.hpp"

namespace {

struct Kernel : bench::QueensInTasks<3> {
  static constexpr const char* kName = "nqueens_cut";
  using QueensInTasks::QueensInTasks;
};

}  // namespace

int main(int argc, char** argv) { return bench::kernel_main<Kernel>(argc, argv); }
