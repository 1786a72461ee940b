// mutexinoutset on several addresses, named in any order: tasks that share an address never
// overlap, and no task waits for ever.
// test: variant graphs VICINO_TASKGRAPH=site
#include <omp.h>

#include "check.h"

enum { kPlaces = 5, kTasks = 3000 };
static int inside[kPlaces], count[kPlaces];

static void use(int place) {
  CHECK_EQ(__atomic_fetch_add(&inside[place], 1, __ATOMIC_RELAXED), 0);
  ++count[place];  // a plain increment: the exclusion orders it, too
}
static void leave(int place) { __atomic_fetch_sub(&inside[place], 1, __ATOMIC_RELAXED); }

int main(void) {
  int want[kPlaces] = {0};
#pragma omp parallel
#pragma omp single
  {
    for (int i = 0; i < kTasks; ++i) {
      const int a = i % kPlaces, b = (i / kPlaces + 1 + a) % kPlaces, c = (a * 3 + 1) % kPlaces;
      ++want[a];
      if (b != a) ++want[b];
      if (c != a && c != b) ++want[c];
#pragma omp task depend(mutexinoutset : count[c], count[b], count[a]) firstprivate(a, b, c)
      {
        use(a);
        if (b != a) use(b);
        if (c != a && c != b) use(c);
        if (c != a && c != b) leave(c);
        if (b != a) leave(b);
        leave(a);
      }
    }
#pragma omp task depend(in : count[0]) depend(out : count[1]) shared(want)
    {
      CHECK_EQ(count[0], want[0]);
      CHECK_EQ(count[1], want[1]);
    }
  }
  for (int p = 0; p < kPlaces; ++p) CHECK_EQ(count[p], want[p]);
  return check_result();
}
