// sort: merge sort in four parts, whose merges are split into tasks as well.
//
// test: variant untied -DUNTIED
#include "sort.hpp"

namespace {

using bench::Sort;
using bench::Span;

void merge(Span a, Span b, int* to) {
  if (a.size() + b.size() <= Sort::kLeaf) {
    std::merge(a.first, a.last, b.first, b.last, to);
    return;
  }
  const bench::SplitMerge half = Sort::split(a, b, to);
#pragma omp task TIEDNESS shared(half)
  merge(half.a_low, half.b_low, to);
#pragma omp task TIEDNESS shared(half)
  merge(half.a_high, half.b_high, half.high_to);
#pragma omp taskwait
}

void sort(Span data, int* scratch) {
  if (data.size() <= Sort::kLeaf) return std::sort(data.first, data.last);
  const long quarter = data.size() / 4;
  int* const at[] = {data.first, data.first + quarter, data.first + 2 * quarter,
                     data.first + 3 * quarter, data.last};
  for (int i = 0; i < 4; ++i) {
#pragma omp task TIEDNESS shared(at)
    sort({at[i], at[i + 1]}, scratch + i * quarter);
  }
#pragma omp taskwait
#pragma omp task TIEDNESS shared(at)
  merge({at[0], at[1]}, {at[1], at[2]}, scratch);
#pragma omp task TIEDNESS shared(at)
  merge({at[2], at[3]}, {at[3], at[4]}, scratch + 2 * quarter);
#pragma omp taskwait
  merge({scratch, scratch + 2 * quarter}, {scratch + 2 * quarter, scratch + data.size()},
        data.first);
}

struct Kernel : Sort {
  using Sort::Sort;
  void run() {
#pragma omp parallel
#pragma omp single
    sort(all(), scratch.data());
  }
};

}  // namespace

int main(int argc, char** argv) { return bench::kernel_main<Kernel>(argc, argv); }
