// leaks.c: the leak check of AddressSanitizer, with which this program is built, finds nothing. It
// runs on machines with several nodes, where the runtime has pages of its own that hold the only
// pointers to many other objects.
#define _GNU_SOURCE
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static int inner_threads;

static void nest(void) {
#pragma omp parallel num_threads(4)
  {
#pragma omp parallel num_threads(2)
#pragma omp atomic
    ++inner_threads;
  }
}

int main(int count, char** words) {
  (void)count;
  if (getenv("OMP_PROC_BIND") == NULL) {
    setenv("OMP_PROC_BIND", "close", 1);
    setenv("OMP_MAX_ACTIVE_LEVELS", "2", 1);
    execv("/proc/self/exe", words);
  }
  for (int i = 0; i < 3; ++i) nest();
  if (inner_threads != 3 * 4 * 2) return 1;
  printf("ok   teams in teams; a report on standard error tells of leaks\nall is well\n");
  return 0;
}
