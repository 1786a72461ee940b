// check.h: what the feature programs share. A program checks its answers, reports what is wrong on
// standard error, and returns check_result() from main.
#ifndef CHECK_H
#define CHECK_H
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Makes a directive of a macro's arguments.
#define PRAGMA_TEXT(text) _Pragma(#text)
#define OMP(...) PRAGMA_TEXT(omp __VA_ARGS__)

static int check_failures;

// A broken runtime may fail in every iteration of a loop: a few lines say enough.
static inline void check_fail(const char* file, int line, const char* what, long long got,
                              long long want) {
  if (__atomic_fetch_add(&check_failures, 1, __ATOMIC_RELAXED) < 10)
    fprintf(stderr, "%s:%d: %s (got %lld, want %lld)\n", file, line, what, got, want);
}

#define CHECK(condition)                                                \
  do {                                                                  \
    if (!(condition)) check_fail(__FILE__, __LINE__, #condition, 0, 1); \
  } while (0)

#define CHECK_EQ(got, want)                                                            \
  do {                                                                                 \
    long long got_ = (long long)(got), want_ = (long long)(want);                      \
    if (got_ != want_) check_fail(__FILE__, __LINE__, #got " == " #want, got_, want_); \
  } while (0)

static inline int check_result(void) {
  int failures = __atomic_load_n(&check_failures, __ATOMIC_RELAXED);
  if (failures) fprintf(stderr, "%d checks failed\n", failures);
  return failures ? 1 : 0;
}

// Counts the runs of an iteration, so that an iteration run twice or never is found, whichever
// thread ran it.
static inline void hit(unsigned char* seen, long index) {
  __atomic_fetch_add(&seen[index], 1, __ATOMIC_RELAXED);
}

static inline void check_each_once(const char* file, int line, unsigned char* seen, long n) {
  for (long i = 0; i < n; ++i)
    if (seen[i] != 1) {
      char what[64];
      snprintf(what, sizeof what, "times that iteration %ld ran", i);
      check_fail(file, line, what, seen[i], 1);
    }
  memset(seen, 0, (size_t)n);
}
#define CHECK_EACH_ONCE(seen, n) check_each_once(__FILE__, __LINE__, seen, n)

#endif
