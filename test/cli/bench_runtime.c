/* libgomp for the tests of `vicino bench`, with a fault: linked behind it is a copy of libgomp. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <unistd.h>

typedef void Parallel(void (*body)(void*), void* data, unsigned threads, unsigned flags);

void GOMP_parallel(void (*body)(void*), void* data, unsigned threads, unsigned flags) {
  if (SLEEP_US > 0) usleep(SLEEP_US);
  ((Parallel*)dlsym(RTLD_NEXT, "GOMP_parallel"))(body, data, threads, flags);
}

#ifdef WRONG
/* Every thread executes the block. */
_Bool GOMP_single_start(void) { return 1; }
#endif
