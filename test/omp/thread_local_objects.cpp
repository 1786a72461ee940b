// Objects of thread storage duration in the runtime's threads: their destructors, if they run, find the program's
// static objects. The process may end while threads are ending.
// test: uses threads=2,4,7
// test: variant passive OMP_WAIT_POLICY=passive
// test: peer gcc-12 its threads end while static objects are destroyed, and after that
// test: peer clang-19 the same
#include <omp.h>
#include <unistd.h>

#include <set>

#include "check.h"

static bool is_gone = false;

// Its destructor takes its time, so that a thread which ends at the same time is seen.
struct Registry {
  std::set<int> numbers;
  ~Registry() {
    is_gone = true;
    usleep(5000);
  }
};
static Registry registry;

struct Entry {
  int number = -1;
  ~Entry() {
    if (is_gone) {
      fprintf(stderr, "thread %d ends after the static objects\n", number);
      _exit(1);
    }
#pragma omp critical(registry)
    registry.numbers.erase(number);
  }
};
static thread_local Entry entry;

static void enter() {
  entry.number = omp_get_thread_num();
#pragma omp critical(registry)
  registry.numbers.insert(entry.number);
}

int main() {
  const int most = omp_get_max_threads();
  for (int threads = most; threads < most + 3; ++threads) {
#pragma omp parallel num_threads(threads)
    enter();
    CHECK_EQ(registry.numbers.size(), threads);
#pragma omp parallel num_threads(2)
    enter();
  }
  return check_result();
}
