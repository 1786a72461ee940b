// A thread that the runtime starts allocates nothing before the program's code asks for memory: else
// malloc() would set up an arena for each thread, while others are being started.
// test: uses threads=1,2,4,7
// test: variant bound OMP_PROC_BIND=close
// test: variant places OMP_PLACES=threads OMP_PROC_BIND=spread
// test: peer clang-19 each of libomp's threads allocates
#include <malloc.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"

// How many arenas malloc() has.
static int arenas(void) {
  char* text = NULL;
  size_t length = 0;
  FILE* out = open_memstream(&text, &length);
  malloc_info(0, out);
  fclose(out);
  int count = 0;
  for (const char* at = text; (at = strstr(at, "<heap nr=")) != NULL; ++at) ++count;
  free(text);
  return count;
}

static int met;  // atomic

int main(void) {
  const int before = arenas();
  for (int round = 0; round < 3; ++round) {
#pragma omp parallel
    __atomic_fetch_add(&met, 1, __ATOMIC_RELAXED);
  }
  CHECK_EQ(met, 3 * omp_get_max_threads());
  CHECK_EQ(arenas(), before);
  return check_result();
}
