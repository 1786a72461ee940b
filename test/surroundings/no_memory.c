// Preloaded: from the call FAIL_AT on, malloc() of the whole process has no memory.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>

void* malloc(size_t bytes) {
  static void* (*next)(size_t);
  static long calls, last = -1;
  if (next == NULL) {
    next = (void* (*)(size_t))dlsym(RTLD_NEXT, "malloc");
    const char* const text = getenv("FAIL_AT");
    if (text != NULL) last = atol(text);
  }
  if (last < 0 || __atomic_add_fetch(&calls, 1, __ATOMIC_RELAXED) < last) return next(bytes);
  errno = ENOMEM;
  return NULL;
}
