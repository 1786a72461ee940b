/* Writes when the rank came and went in each round, by a clock that is the same for all ranks of a
 * machine. Rank k is late by k times 20 ms, ROUNDS times, for a barrier, an allreduce or a message of the
 * last rank. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static int r, n;
static long long times[256];
static int noted;

static void note(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  times[noted++] = now.tv_sec * 1000000000LL + now.tv_nsec;
}

__attribute__((noinline)) static void meet(const char* how) {
  double x = 1, y = 0;
  if (strcmp(how, "barrier") == 0) {
    MPI_Barrier(MPI_COMM_WORLD);
  } else if (strcmp(how, "allreduce") == 0) {
    MPI_Allreduce(&x, &y, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  } else if (r < n - 1) {
    MPI_Recv(&x, 1, MPI_DOUBLE, n - 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  } else {
    for (int i = 0; i < n - 1; ++i) MPI_Send(&x, 1, MPI_DOUBLE, i, 0, MPI_COMM_WORLD);
  }
}

/* Another path to the same call. */
__attribute__((noinline)) static void meet_from_elsewhere(const char* how) {
  volatile char deeper[256];
  deeper[0] = *how;
  meet(how);
  deeper[1] = *how;
}

static void tell(const char* folder) {
  char name[4096];
  snprintf(name, sizeof name, "%s/%d", folder, r);
  FILE* file = fopen(name, "w");
  for (int i = 0; i < noted; ++i) fprintf(file, " %lld", times[i]);
  fclose(file);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &r);
  MPI_Comm_size(MPI_COMM_WORLD, &n);
  const int rounds = atoi(argv[2]);
  note();
  meet_from_elsewhere(argv[1]);
  note();
  for (int i = 0; i < rounds; ++i) {
    usleep((useconds_t)(20000 * r));
    note();
    meet(argv[1]);
    note();
  }
  if (argc > 3) tell(argv[3]);
  MPI_Finalize();
  return 0;
}
