// Two ranks whose collectives must meet each other: prints what each of three sums has to be, 1 2 3, and their sum.
#include <mpi.h>
#include <stdio.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int sums[4] = {0, 0, 0, 0};
  for (int i = 0; i < 3; ++i) {
    const int mine = rank == 0 ? i : 1;
    MPI_Allreduce(&mine, &sums[i], 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    sums[3] += sums[i];
  }
  if (rank == 0) printf("%d %d %d %d\n", sums[0], sums[1], sums[2], sums[3]);
  MPI_Finalize();
  return 0;
}
