// lock_sizes.c: a lock stays within the bytes that the smallest caller gives it.
//
// gcc's omp_lock_t has 4 bytes and gfortran's nest lock 8; LLVM's have more. One implementation
// serves all of them, so the test places each lock in the smaller storage, between two guards, and
// uses it by its C names and by its Fortran names. Both compilers compile this file, because each
// omp.h has its own sizes.
#include <omp.h>
#include <stdio.h>
#include <string.h>

#ifdef __clang__
_Static_assert(sizeof(omp_lock_t) == 8 && sizeof(omp_nest_lock_t) == 8, "LLVM's sizes");
#else
_Static_assert(sizeof(omp_lock_t) == 4 && sizeof(omp_nest_lock_t) == 16, "GCC's sizes");
#endif

typedef void Routine(void*);
extern Routine omp_init_lock_, omp_set_lock_, omp_unset_lock_, omp_destroy_lock_;
extern Routine omp_init_nest_lock_, omp_set_nest_lock_, omp_unset_nest_lock_,
    omp_destroy_nest_lock_;

static const struct Lock {
  const char* name;
  size_t size;
  int depth;  // a nest lock's owner sets it again, so its count needs space too
  Routine *init, *set, *unset, *destroy;
} kLocks[] = {
    {"lock", 4, 1, (Routine*)omp_init_lock, (Routine*)omp_set_lock, (Routine*)omp_unset_lock,
     (Routine*)omp_destroy_lock},
    {"Fortran lock", 4, 1, omp_init_lock_, omp_set_lock_, omp_unset_lock_, omp_destroy_lock_},
    {"nest lock", 8, 3, (Routine*)omp_init_nest_lock, (Routine*)omp_set_nest_lock,
     (Routine*)omp_unset_nest_lock, (Routine*)omp_destroy_nest_lock},
    {"Fortran nest lock", 8, 3, omp_init_nest_lock_, omp_set_nest_lock_, omp_unset_nest_lock_,
     omp_destroy_nest_lock_},
};

enum { kGuard = 64, kGuardByte = 0xa5 };
static _Alignas(16) unsigned char storage[2 * kGuard];

static int guards_hold(const struct Lock* lock, const char* when) {
  for (int i = 0; i < (int)sizeof storage; ++i) {
    const int offset = i - kGuard;
    if (offset >= 0 && offset < (int)lock->size) continue;
    if (storage[i] == kGuardByte) continue;
    printf("%s: offset %d of %zu bytes was written by %s\n", lock->name, offset, lock->size, when);
    return 0;
  }
  return 1;
}

static int try_lock(const struct Lock* lock) {
  void* bytes = storage + kGuard;
  memset(storage, kGuardByte, sizeof storage);
  memset(bytes, 0, lock->size);
  int inside = 0;

  lock->init(bytes);
  int good = guards_hold(lock, "init");
#pragma omp parallel num_threads(4)
  for (int round = 0; round < 100; ++round) {
    for (int i = 0; i < lock->depth; ++i) lock->set(bytes);
    ++inside;
    for (int i = 0; i < lock->depth; ++i) lock->unset(bytes);
  }
  good &= guards_hold(lock, "set and unset");
  lock->destroy(bytes);
  good &= guards_hold(lock, "destroy");
  if (inside != 400) printf("%s: 400 increments inside gave %d\n", lock->name, inside);
  return good && inside == 400;
}

int main(void) {
  int good = 1;
  for (size_t i = 0; i < sizeof kLocks / sizeof *kLocks; ++i) good &= try_lock(&kLocks[i]);
  return !good;
}
