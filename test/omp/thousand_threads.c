// A team of more than a thousand threads: barriers, a loop, tasks and a critical section.
// test: uses threads=1100 OMP_STACKSIZE=64K
// test: unsanitized thread its memory for so many threads is too much
// test: unsanitized address its memory for so many threads is too much
#include <omp.h>

#include "check.h"

enum { kMost = 1100 };
static int slot[kMost], inside = 0, done = 0;
static unsigned char seen[3 * kMost];

static void region(int threads) {
  int members = 0;
  memset(slot, 0, sizeof slot);
  inside = done = 0;
#pragma omp parallel num_threads(threads) reduction(+ : members)
  {
    const int me = omp_get_thread_num(), next = (me + 1) % threads;
    CHECK_EQ(omp_get_num_threads(), threads);
    slot[me] = me + 1;
#pragma omp barrier
    CHECK_EQ(slot[next], next + 1);
#pragma omp for schedule(dynamic)
    for (int i = 0; i < 3 * threads; ++i) hit(seen, i);
#pragma omp single
    for (int i = 0; i < 2 * threads; ++i) {
#pragma omp task
#pragma omp atomic
      ++done;
    }
#pragma omp critical
    ++inside;
    ++members;
  }
  CHECK_EQ(members, threads);
  CHECK_EQ(inside, threads);
  CHECK_EQ(done, 2 * threads);
  CHECK_EACH_ONCE(seen, 3 * threads);
}

int main(void) {
  const int most = omp_get_max_threads();
  region(most);
  region(3);
  region(most - 1);
  return check_result();
}
