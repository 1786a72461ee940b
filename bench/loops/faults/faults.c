// faults.c: faulty loops of GCC's ABI. One library is built from this file for each fault.
// Preloaded before a correct runtime, these libraries show that the kernels' checks notice the
// faults.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdbool.h>
#include <stddef.h>

typedef bool Start(long first, long last, long step, long* begin, long* end);
typedef bool Next(long* begin, long* end);
Start GOMP_loop_maybe_nonmonotonic_runtime_start, GOMP_loop_runtime_start;
Next GOMP_loop_maybe_nonmonotonic_runtime_next, GOMP_loop_runtime_next;

#define EVERY 7
static bool chosen(void) {
  static int count;
  return __atomic_add_fetch(&count, 1, __ATOMIC_RELAXED) % EVERY == 0;
}

static void* good(const char* name) { return dlsym(RTLD_NEXT, name); }

#ifdef iteration_lost
// A chunk of one iteration becomes an empty chunk; a loop that counts up accepts that and runs
// nothing.
static bool spoil(bool got, long* begin) {
  if (got && chosen()) ++*begin;
  return got;
}
static bool instead(long* begin, long* end) {
  (void)begin, (void)end;
  return false;
}
#endif

#ifdef iteration_twice
static __thread bool due;
static __thread long again;
static bool spoil(bool got, long* begin) {
  if (got && chosen()) due = true, again = *begin;
  return got;
}
static bool instead(long* begin, long* end) {
  if (!due) return false;
  due = false;
  *begin = again;
  *end = again + 1;
  return true;
}
#endif

#define WRAP(name)                                                                        \
  bool name##_start(long first, long last, long step, long* begin, long* end) {           \
    const bool got = ((Start*)good(#name "_start"))(first, last, step, begin, end);       \
    return spoil(got, begin);                                                             \
  }                                                                                       \
  bool name##_next(long* begin, long* end) {                                              \
    return instead(begin, end) || spoil(((Next*)good(#name "_next"))(begin, end), begin); \
  }

WRAP(GOMP_loop_maybe_nonmonotonic_runtime)
WRAP(GOMP_loop_runtime)
