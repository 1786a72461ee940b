// sort, on oneTBB.
#include "../sort.hpp"

#include <tbb/task_group.h>

#include "arena.hpp"

namespace {

using bench::Sort;
using bench::Span;

void merge(Span a, Span b, int* to) {
  if (a.size() + b.size() <= Sort::kLeaf) {
    std::merge(a.first, a.last, b.first, b.last, to);
    return;
  }
  const bench::SplitMerge half = Sort::split(a, b, to);
  tbb::task_group group;
  group.run([&half, to] { merge(half.a_low, half.b_low, to); });
  group.run([&half] { merge(half.a_high, half.b_high, half.high_to); });
  group.wait();
}

void sort(Span data, int* scratch) {
  if (data.size() <= Sort::kLeaf) return std::sort(data.first, data.last);
  const long quarter = data.size() / 4;
  int* const at[] = {data.first, data.first + quarter, data.first + 2 * quarter,
                     data.first + 3 * quarter, data.last};
  tbb::task_group group;
  for (int i = 0; i < 4; ++i)
    group.run([&at, i, quarter, scratch] { sort({at[i], at[i + 1]}, scratch + i * quarter); });
  group.wait();
  group.run([&] { merge({at[0], at[1]}, {at[1], at[2]}, scratch); });
  group.run([&] { merge({at[2], at[3]}, {at[3], at[4]}, scratch + 2 * quarter); });
  group.wait();
  merge({scratch, scratch + 2 * quarter}, {scratch + 2 * quarter, scratch + data.size()},
        data.first);
}

struct Kernel : Sort {
  using Sort::Sort;
  void run() {
    bench::in_arena([this] { sort(all(), scratch.data()); });
  }
};

}  // namespace

int main(int argc, char** argv) { return bench::kernel_main<Kernel>(argc, argv); }
