// LLVM's entry points for locks: they exclude, nest and can be tried, and they work on the same locks
// as OpenMP's routines.
// test: skip gcc libgomp has no such entry points
// test: uses threads=1,2,7
#include <omp.h>
#include <stdint.h>

#include "check.h"

int __kmpc_global_thread_num(void* where);
void __kmpc_init_lock(void* where, int gtid, void** lock);
void __kmpc_init_lock_with_hint(void* where, int gtid, void** lock, uintptr_t hint);
void __kmpc_destroy_lock(void* where, int gtid, void** lock);
void __kmpc_set_lock(void* where, int gtid, void** lock);
void __kmpc_unset_lock(void* where, int gtid, void** lock);
int __kmpc_test_lock(void* where, int gtid, void** lock);
void __kmpc_init_nest_lock(void* where, int gtid, void** lock);
void __kmpc_init_nest_lock_with_hint(void* where, int gtid, void** lock, uintptr_t hint);
void __kmpc_destroy_nest_lock(void* where, int gtid, void** lock);
void __kmpc_set_nest_lock(void* where, int gtid, void** lock);
void __kmpc_unset_nest_lock(void* where, int gtid, void** lock);
int __kmpc_test_nest_lock(void* where, int gtid, void** lock);

enum { kTimes = 2000 };

static int gtid(void) { return __kmpc_global_thread_num(NULL); }

// Half of the times by the entry points, half by the routines: both have to see the same lock.
static void check_exclusion(void** lock) {
  volatile long count = 0;
#pragma omp parallel
  for (int i = 0; i < kTimes; ++i) {
    if (i % 4 == 0)
      while (!__kmpc_test_lock(NULL, gtid(), lock)) {
      }
    else if (i % 4 == 1)
      omp_set_lock((omp_lock_t*)lock);
    else
      __kmpc_set_lock(NULL, gtid(), lock);
    count = count + 1;
    if (i % 3 == 0)
      omp_unset_lock((omp_lock_t*)lock);
    else
      __kmpc_unset_lock(NULL, gtid(), lock);
  }
  CHECK_EQ(count, (long)kTimes * omp_get_max_threads());
}

static void check_taken(void** lock) {
  __kmpc_set_lock(NULL, gtid(), lock);
  CHECK_EQ(__kmpc_test_lock(NULL, gtid(), lock), 0);
  __kmpc_unset_lock(NULL, gtid(), lock);
  CHECK(__kmpc_test_lock(NULL, gtid(), lock));
  __kmpc_unset_lock(NULL, gtid(), lock);
}

static void check_nesting(void** lock) {
  volatile long count = 0;
#pragma omp parallel
  for (int i = 0; i < kTimes; ++i) {
    __kmpc_set_nest_lock(NULL, gtid(), lock);
    CHECK_EQ(__kmpc_test_nest_lock(NULL, gtid(), lock), 2);
    omp_set_nest_lock((omp_nest_lock_t*)lock);
    __kmpc_unset_nest_lock(NULL, gtid(), lock);
    __kmpc_unset_nest_lock(NULL, gtid(), lock);
    count = count + 1;
    __kmpc_unset_nest_lock(NULL, gtid(), lock);
  }
  CHECK_EQ(count, (long)kTimes * omp_get_max_threads());
}

// The primary thread's task holds the lock; no other thread gets it.
static void check_owner(void** lock) {
#pragma omp parallel
  {
    const int primary = omp_get_thread_num() == 0;
    if (primary) __kmpc_set_nest_lock(NULL, gtid(), lock);
#pragma omp barrier
    CHECK_EQ(__kmpc_test_nest_lock(NULL, gtid(), lock), primary ? 2 : 0);
#pragma omp barrier
    if (primary) {
      __kmpc_unset_nest_lock(NULL, gtid(), lock);
      __kmpc_unset_nest_lock(NULL, gtid(), lock);
    }
  }
}

int main(void) {
  for (int with_hint = 0; with_hint < 2; ++with_hint) {
    // What was in the memory before does not matter.
    void *lock = (void*)UINTPTR_MAX, *nest = (void*)UINTPTR_MAX;
    if (with_hint) {
      __kmpc_init_lock_with_hint(NULL, gtid(), &lock, omp_sync_hint_contended);
      __kmpc_init_nest_lock_with_hint(NULL, gtid(), &nest, omp_sync_hint_uncontended);
    } else {
      __kmpc_init_lock(NULL, gtid(), &lock);
      __kmpc_init_nest_lock(NULL, gtid(), &nest);
    }
    check_taken(&lock);
    check_exclusion(&lock);
    check_nesting(&nest);
    check_owner(&nest);
    __kmpc_destroy_lock(NULL, gtid(), &lock);
    __kmpc_destroy_nest_lock(NULL, gtid(), &nest);
  }
  return check_result();
}
