// vicino/forall.h from C++17, also in templates. Each instance of a template is a loop of its own.
// test: uses -std=c++17 -pedantic-errors -Werror
#include "forall.h"

namespace {

template <class T>
long sum_to(T n) {
  long sum = 0;
#pragma omp parallel reduction(+ : sum)
  {
    const int tid = omp_get_thread_num(), p = omp_get_num_threads();
    FORALL_BEGIN(vsched, tid, p, 0, n, begin, end, vicino_predict_static_fraction())
    static_assert(sizeof begin == sizeof(0 + n));
    for (auto i = begin; i < end; ++i) sum += static_cast<long>(i);
    FORALL_END()
  }
  return sum;
}

}  // namespace

int main() {
  for (int round = 0; round < 10; ++round) {
    CHECK_EQ(sum_to(1000), 499500);
    CHECK_EQ(sum_to(100L), 4950);
    CHECK_EQ(sum_to(static_cast<unsigned short>(10)), 45);
  }
  return run_forall_tests();
}
