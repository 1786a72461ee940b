// Simple and nestable locks: exclusion, test, hints, and no write outside their own bytes.
#include <omp.h>
#include <sched.h>

#include "check.h"

enum { kTotal = 1200, kLocks = 50 };
static long counter;
static int rounds;  // few, because teams may be far larger than the machine

// An increment in two steps, sometimes with a yield between them: two threads at once would lose an
// increment.
static void bump(void) {
  long now = *(volatile long*)&counter;
  if (now % 16 == 0) sched_yield();
  *(volatile long*)&counter = now + 1;
}

static void simple(omp_lock_t* lock) {
  counter = 0;
#pragma omp parallel
  for (int i = 0; i < rounds; ++i) {
    omp_set_lock(lock);
    bump();
    omp_unset_lock(lock);
  }
  CHECK_EQ(counter, (long)rounds * omp_get_max_threads());
}

static void by_testing(omp_lock_t* lock) {
  long taken = 0;
  counter = 0;
#pragma omp parallel reduction(+ : taken)
  for (int i = 0; i < rounds; ++i)
    if (omp_test_lock(lock)) {
      bump();
      ++taken;
      omp_unset_lock(lock);
    }
  CHECK_EQ(counter, taken);
  CHECK(taken > 0);
}

static void refused_while_held(omp_lock_t* lock) {
  int got = 0;
  omp_set_lock(lock);
#pragma omp parallel reduction(+ : got)
  if (omp_get_thread_num() != 0) got += omp_test_lock(lock) != 0;
  CHECK_EQ(got, 0);
  omp_unset_lock(lock);
}

static void nested(omp_nest_lock_t* lock) {
  counter = 0;
#pragma omp parallel
  for (int i = 0; i < rounds; ++i) {
    omp_set_nest_lock(lock);
    omp_set_nest_lock(lock);
    CHECK_EQ(omp_test_nest_lock(lock), 3);
    bump();
    omp_unset_nest_lock(lock);
    omp_unset_nest_lock(lock);
    bump();
    omp_unset_nest_lock(lock);
  }
  CHECK_EQ(counter, 2L * rounds * omp_get_max_threads());
}

static void nest_refused_while_held(omp_nest_lock_t* lock) {
  int got = 0;
  CHECK_EQ(omp_test_nest_lock(lock), 1);
#pragma omp parallel reduction(+ : got)
  if (omp_get_thread_num() != 0) got += omp_test_nest_lock(lock);
  CHECK_EQ(got, 0);
  CHECK_EQ(omp_test_nest_lock(lock), 2);
  omp_unset_nest_lock(lock);
  omp_unset_nest_lock(lock);
}

// Locks side by side with canaries between: a lock is as large as the compiler's type and no more.
static void sizes(void) {
  static struct {
    omp_lock_t lock;
    unsigned guard;
    omp_nest_lock_t nest;
    unsigned nest_guard;
  } all[kLocks];
  for (int i = 0; i < kLocks; ++i) {
    all[i].guard = all[i].nest_guard = 0xfeedbeef;
    omp_init_lock(&all[i].lock);
    omp_init_nest_lock(&all[i].nest);
  }
#pragma omp parallel for schedule(dynamic)
  for (int k = 0; k < 20 * kLocks; ++k) {
    omp_set_lock(&all[k % kLocks].lock);
    omp_set_nest_lock(&all[k * 7 % kLocks].nest);
    omp_unset_nest_lock(&all[k * 7 % kLocks].nest);
    omp_unset_lock(&all[k % kLocks].lock);
  }
  for (int i = 0; i < kLocks; ++i) {
    omp_destroy_lock(&all[i].lock);
    omp_destroy_nest_lock(&all[i].nest);
    CHECK(all[i].guard == 0xfeedbeef && all[i].nest_guard == 0xfeedbeef);
  }
}

#ifdef __clang__  // libgomp-12 lacks the call
static void with_hint(omp_sync_hint_t hint) {
  omp_lock_t lock;
  omp_nest_lock_t nest;
  omp_init_lock_with_hint(&lock, hint);
  omp_init_nest_lock_with_hint(&nest, hint);
  simple(&lock);
  by_testing(&lock);
  nested(&nest);
  omp_destroy_lock(&lock);
  omp_destroy_nest_lock(&nest);
}
#endif

int main(void) {
  rounds = 1 + kTotal / omp_get_max_threads();
  omp_lock_t lock;
  omp_nest_lock_t nest;
  omp_init_lock(&lock);
  omp_init_nest_lock(&nest);
  simple(&lock);
  by_testing(&lock);
  refused_while_held(&lock);
  nested(&nest);
  nest_refused_while_held(&nest);
  omp_destroy_lock(&lock);
  omp_destroy_nest_lock(&nest);
  sizes();
#ifdef __clang__
  with_hint(omp_sync_hint_none);
  with_hint(omp_sync_hint_contended);
  with_hint(omp_sync_hint_uncontended);
  with_hint(omp_sync_hint_speculative);
#endif
  return check_result();
}
