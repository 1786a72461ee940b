/* Has a vicino_slack_add() of its own, and prints what it was told. */
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <unistd.h>

static int calls;
static uint64_t sum;

void vicino_slack_add(uint64_t ns) {
  ++calls;
  sum += ns;
}

int main(int argc, char** argv) {
  int r;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &r);
  usleep((useconds_t)(200000 * r));
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Barrier(MPI_COMM_WORLD);
  printf("rank %d: %d calls, %llu ms\n", r, calls, (unsigned long long)(sum / 1000000));
  fflush(stdout);
  MPI_Finalize();
  return 0;
}
