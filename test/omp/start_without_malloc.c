// A thread that the runtime starts allocates nothing before the program's code asks for memory: else
// malloc() would set up an arena for each thread, while others are being started.
// test: uses threads=1,2,4,7
// test: variant bound OMP_PROC_BIND=close
// test: variant places OMP_PLACES=threads OMP_PROC_BIND=spread
// test: variant inner machine=plain-2x4 OMP_MAX_ACTIVE_LEVELS=2
// test: variant subset KMP_HW_SUBSET=1c
// test: variant rank OMPI_COMM_WORLD_LOCAL_SIZE=2 OMPI_COMM_WORLD_LOCAL_RANK=0
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

static void region(void) {
#pragma omp parallel
  __atomic_fetch_add(&met, 1, __ATOMIC_RELAXED);
}

int main(void) {
  const int before = arenas();
  for (int round = 0; round < 3; ++round) region();
  CHECK_EQ(met, 3 * omp_get_max_threads());
  CHECK_EQ(arenas(), before);
  if (omp_get_max_active_levels() == 1) return check_result();
#pragma omp parallel num_threads(2)
#pragma omp masked
  region();
  CHECK_EQ(met, 4 * omp_get_max_threads());
  CHECK_EQ(arenas(), before);
  return check_result();
}
