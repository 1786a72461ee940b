// Combined constructs, many times over. The primary thread may run them alone, and the program must
// not be able to tell. Sections that wait for each other, and tasks in sections, get the threads
// that they need.
// test: uses threads=1,2,4,7,16
// test: variant passive OMP_WAIT_POLICY=passive threads=2,4,7
// test: variant active OMP_WAIT_POLICY=active threads=2
// test: variant stats VICINO_STATS=/dev/null threads=4
#include <omp.h>

#include "check.h"

enum { kRounds = 3000, kIterations = 40, kSections = 4 };

static int threads;

static void sections(int round) {
  int ran[kSections] = {0}, sizes[kSections] = {0}, value = round, last = -1;
#pragma omp parallel sections num_threads(threads) shared(ran, sizes) firstprivate(value)
  {
#pragma omp section
    ran[0] += value, sizes[0] = omp_get_num_threads();
#pragma omp section
    ran[1] += value, sizes[1] = omp_get_num_threads();
#pragma omp section
    ran[2] += value, sizes[2] = omp_get_num_threads();
#pragma omp section
    ran[3] += value, sizes[3] = omp_get_num_threads();
  }
  for (int i = 0; i < kSections; ++i) {
    CHECK_EQ(ran[i], round);
    CHECK_EQ(sizes[i], threads);
  }
#pragma omp parallel sections num_threads(threads) lastprivate(last)
  {
#pragma omp section
    last = 1;
#pragma omp section
    last = 2;
  }
  CHECK_EQ(last, 2);
}

static void loops(void) {
  static unsigned char seen[kIterations];
  long sum = 0;
#pragma omp parallel for num_threads(threads) schedule(dynamic)
  for (int i = 0; i < kIterations; ++i) hit(seen, i);
  CHECK_EACH_ONCE(seen, kIterations);
#pragma omp parallel for num_threads(threads) schedule(guided, 2)
  for (int i = 0; i < kIterations; ++i) hit(seen, i);
  CHECK_EACH_ONCE(seen, kIterations);
#pragma omp parallel for num_threads(threads) schedule(monotonic : dynamic, 3) reduction(+ : sum)
  for (int i = 0; i < kIterations; ++i) hit(seen, i), sum += i;
  CHECK_EACH_ONCE(seen, kIterations);
  CHECK_EQ(sum, kIterations * (kIterations - 1) / 2);
}

// Each section lets the other go on. The standard does not promise two threads for them, but
// programs count on it. Each store (P1) pairs with the other section's load (P2).
static void meet(int* mine, int* other) {
  __atomic_store_n(mine, 1, __ATOMIC_RELEASE);         // P1
  while (!__atomic_load_n(other, __ATOMIC_ACQUIRE)) {  // P2
  }
}

static void sections_that_wait(int waiting) {
  int a = !waiting, b = !waiting;
#pragma omp parallel sections num_threads(threads)
  {
#pragma omp section
    meet(&a, &b);
#pragma omp section
    meet(&b, &a);
  }
  CHECK_EQ(a + b, 2);
}

static int work(int n) { return n < 2 ? n : work(n - 1) + work(n - 2); }

static void sections_with_tasks(int tasks) {
  int done = 0;
#pragma omp parallel sections num_threads(threads)
  {
#pragma omp section
    for (int i = 0; i < tasks; ++i) {
#pragma omp task shared(done)
      {
        int result = work(10);
#pragma omp atomic
        done += result == 55;
      }
    }
#pragma omp section
    {
    }
  }
  CHECK_EQ(done, tasks);
}

static void plain_region(void) {
  int count = 0;
#pragma omp parallel num_threads(threads) reduction(+ : count)
  {
#pragma omp barrier
    count += 1;
  }
  CHECK_EQ(count, threads);
}

int main(void) {
  threads = omp_get_max_threads();
  for (int round = 0; round < kRounds; ++round) {
    sections(round);
    if (round % 4 == 0) loops();
    // One thread is enough for the sections of most rounds. Every 500th round they wait for each
    // other.
    if (threads > 1) sections_that_wait(round % 500 == 499);
    sections_with_tasks(round % 100 == 0 ? 50 : 0);
    if (round % 50 == 0) plain_region();
  }
  return check_result();
}
