// random.h: what the random programs share: sums, checks, locks and types.
#pragma once

#include <omp.h>
#include <pthread.h>
#include <stdio.h>

typedef unsigned long word;

static word cells[CELLS], guarded[3 * GUARDS];
static omp_lock_t locks[GUARDS];
static omp_nest_lock_t nest_locks[GUARDS];
static volatile int zero = 0, one = 1;  // conditions that a compiler does not know
static int failures;

static word kept;
#pragma omp threadprivate(kept)
// Functions, because an untied task may not name such a variable.
static inline void keep(word value) { kept = value; }
static inline word get_kept(void) { return kept; }

// programs/base.py has the same function.
static inline word mix(word value) {
  value ^= value >> 31;
  value *= 0x9E3779B97F4A7C15UL;
  return value ^ value >> 29;
}

static inline void add(int cell, word value) {
  __atomic_fetch_add(&cells[cell], value, __ATOMIC_RELAXED);
}

struct Pair {
  word sum, bits;
};
#pragma omp declare reduction(pair : struct Pair : ( \
        omp_out.sum += omp_in.sum, omp_out.bits ^= omp_in.bits)) initializer(omp_priv = {0, 0})

static inline void fail(const char* what, int construct) {
  if (__atomic_fetch_add(&failures, 1, __ATOMIC_RELAXED) < 10)
    fprintf(stderr, "construct %d: %s\n", construct, what);
}
#define CHECK(condition, construct)                \
  do {                                             \
    if (!(condition)) fail(#condition, construct); \
  } while (0)

#ifdef __cplusplus
// An object whose copies are counted: as many are destroyed as are made.
static long objects;
class Counted {
 public:
  explicit Counted(word value) : value_(value) { count(1); }
  Counted(const Counted& other) : value_(other.value_) { count(1); }
  Counted& operator=(const Counted&) = default;
  ~Counted() { count(-1), value_ = 0xDEAD; }
  operator word() const { return value_; }

 private:
  static void count(int by) { __atomic_fetch_add(&objects, by, __ATOMIC_RELAXED); }
  word value_;
};
struct Thrown {
  word word_;
};
#endif

static void set_up_root(void) {
  omp_set_dynamic(0);
  omp_set_max_active_levels(MOST_ACTIVE);
}

static inline void* run_root(void* root) {
  ((void (*)(void))root)();
  return NULL;
}

// A thread of the program of its own, which no region starts.
static inline pthread_t start(void (*root)(void)) {
  pthread_t thread;
  CHECK(pthread_create(&thread, NULL, run_root, (void*)root) == 0, 0);
  return thread;
}

static void begin(void) {
  for (int i = 0; i < GUARDS; ++i) {
    omp_init_lock(&locks[i]);
    omp_init_nest_lock(&nest_locks[i]);
  }
}

static void expect(int cell, word want) {
  if (cells[cell] == want) return;
  ++failures;
  fprintf(stderr, "construct %d: sum %lx, not %lx\n", cell, cells[cell], want);
}

static void expect_guarded(int guard, word want) {
  if (guarded[guard] == want) return;
  ++failures;
  fprintf(stderr, "guarded sum %d: %lx, not %lx\n", guard, guarded[guard], want);
}

static int end(void) {
  (void)zero, (void)one, (void)kept;
#ifdef __cplusplus
  CHECK(objects == 0, 0);
#endif
  for (int i = 0; i < GUARDS; ++i) {
    omp_destroy_lock(&locks[i]);
    omp_destroy_nest_lock(&nest_locks[i]);
  }
  return failures != 0;
}
