// A member that waits for its turn in an ordered loop goes on when another member, which never
// comes to the loop, cancels the region. No two members are in the loop's ordered regions at the
// same time, before the cancellation or after it.
// test: uses OMP_CANCELLATION=true
// test: variant active OMP_WAIT_POLICY=active
// test: variant passive OMP_WAIT_POLICY=passive
// test: peer clang-19 libomp-19 waits for ever
// test: peer gcc-12 libgomp-12 waits for ever
#include <omp.h>
#include <unistd.h>

#include "check.h"

enum { kTrip = 60, kNobody = -1 };

// What one loop's ordered regions saw. Only `inside` is atomic: ordered regions exclude each other.
struct Seen {
  int inside, regions, last, in_order;
};

static void see(struct Seen* seen, int i) {
  CHECK_EQ(__atomic_fetch_add(&seen->inside, 1, __ATOMIC_RELAXED), 0);
  if (++seen->regions % 8 == 0) usleep(20);
  seen->in_order = seen->in_order && i > seen->last;
  seen->last = i;
  CHECK_EQ(__atomic_fetch_sub(&seen->inside, 1, __ATOMIC_RELAXED), 1);
}

// Defines a function that returns what was seen when member `who` cancels before the loop, at once
// or when the others have had time to go to sleep.
#define CANCELLED(name, clause)                        \
  static struct Seen name(int who, useconds_t after) { \
    struct Seen seen = {0, 0, -1, 1};                  \
    OMP(parallel shared(seen)) {                       \
      if (omp_get_thread_num() == who) {               \
        usleep(after);                                 \
        OMP(cancel parallel)                           \
      }                                                \
      OMP(for ordered clause)                          \
      for (int i = 0; i < kTrip; ++i) {                \
        OMP(ordered) see(&seen, i);                    \
      }                                                \
    }                                                  \
    return seen;                                       \
  }
CANCELLED(with_static, schedule(static))
CANCELLED(with_static_1, schedule(static, 1))
CANCELLED(with_static_4, schedule(static, 4))
CANCELLED(with_dynamic, schedule(dynamic))
CANCELLED(with_dynamic_4, schedule(dynamic, 4))

static void try_all(struct Seen (*run)(int, useconds_t)) {
  for (int late = 0; late < 2; ++late)
    for (int who = 0; who < 2; ++who) CHECK(run(who, late ? 3000 : 0).regions <= kTrip);
  const struct Seen seen = run(kNobody, 0);
  CHECK_EQ(seen.regions, kTrip);
  CHECK(seen.in_order);
}

int main(void) {
  CHECK(omp_get_cancellation());
  for (int round = 0; round < 5; ++round) {
    try_all(with_static);
    try_all(with_static_1);
    try_all(with_static_4);
    try_all(with_dynamic);
    try_all(with_dynamic_4);
  }
  return check_result();
}
