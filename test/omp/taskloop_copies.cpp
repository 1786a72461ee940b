// A taskloop that waits for its tasks: each thread copies the objects that its own tasks need, and
// the originals live as long. With nogroup the originals may be gone before the tasks begin.
// test: uses threads=2,4,7
// test: peer gcc-12 libgomp makes all copies on the thread that meets the taskloop
// test: peer clang-19 libomp does so, too, where tasks are few
#include <omp.h>

#include <string>

#include "check.h"

static int copied_by[64];  // by which threads; atomic

struct Copied {
  explicit Copied(const char* its) : text(its) {}
  Copied(const Copied& other) : text(other.text) {
    __atomic_fetch_add(&copied_by[omp_get_thread_num()], 1, __ATOMIC_RELAXED);
  }
  ~Copied() { text = "destroyed"; }
  std::string text;
};
static const char kText[] = "a text that lives on the heap, longer than a short string";

static int makers(void) {
  int threads = 0;
  for (const int& copies : copied_by) threads += __atomic_load_n(&copies, __ATOMIC_RELAXED) != 0;
  return threads;
}

// Tasks end only when two threads have made copies.
static void wait_for_makers(void) {
  const double start = omp_get_wtime();
  while (makers() < 2 && omp_get_wtime() < start + 20) {
  }
}

enum { kTrip = 2000 };
static int ran;  // atomic

static void add_run(const Copied& copied) {
  CHECK(copied.text == kText);
  __atomic_fetch_add(&ran, 1, __ATOMIC_RELAXED);
}

static void check_runs(void) {
  CHECK_EQ(__atomic_exchange_n(&ran, 0, __ATOMIC_RELAXED), kTrip);
  CHECK(makers() >= 2);
  for (int& copies : copied_by) __atomic_store_n(&copies, 0, __ATOMIC_RELAXED);
}

static void open(void) {
  const Copied copied(kText);
#pragma omp taskloop firstprivate(copied)
  for (int i = 0; i < kTrip; ++i) {
    wait_for_makers();
    add_run(copied);
  }
}

static void with_tasks(int tasks) {
  const Copied copied(kText);
#pragma omp taskloop firstprivate(copied) num_tasks(tasks)
  for (int i = 0; i < kTrip; ++i) {
    wait_for_makers();
    add_run(copied);
  }
}

static void without_group(void) {
  const Copied copied(kText);
#pragma omp taskloop firstprivate(copied) nogroup
  for (int i = 0; i < kTrip; ++i) add_run(copied);
}

int main() {
#pragma omp parallel
#pragma omp single
  {
    open();
    check_runs();
    for (const int tasks : {40, 2000}) {
      with_tasks(tasks);
      check_runs();
    }
    for (int round = 0; round < 20; ++round) {
      without_group();
#pragma omp taskwait
      CHECK_EQ(__atomic_exchange_n(&ran, 0, __ATOMIC_RELAXED), kTrip);
    }
  }
  return check_result();
}
