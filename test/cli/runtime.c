/* A runtime of one thread that stands in for libgomp or Vicino: it sleeps, and says which it is. */
#define _GNU_SOURCE
#include <unistd.h>

int omp_test_id(void) { return ID; }
int omp_test_delay_ms(void) { return DELAY_MS; }

void GOMP_parallel(void (*body)(void*), void* data, unsigned threads, unsigned flags) {
  (void)threads;
  (void)flags;
  usleep(DELAY_MS * 1000);
  body(data);
}
