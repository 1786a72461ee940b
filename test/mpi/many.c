/* Two ranks exchange CALLS messages of 24 bytes each way and sum 8 bytes CALLS times, as fast as they can. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char** argv) {
  int rank;
  long sum = 0, one = 1, all = 0, text[3] = {0, 0, 0};
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const int calls = atoi(argv[1]), other = 1 - rank;
  for (int i = 0; i < calls; ++i) {
    if (rank == 0) MPI_Send(text, 3, MPI_LONG, other, 0, MPI_COMM_WORLD);
    MPI_Recv(text, 3, MPI_LONG, other, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (rank == 1) MPI_Send(text, 3, MPI_LONG, other, 0, MPI_COMM_WORLD);
  }
  for (int i = 0; i < calls; ++i) {
    MPI_Allreduce(&one, &all, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
    sum += all;
  }
  if (sum != 2L * calls) MPI_Abort(MPI_COMM_WORLD, 3);
  MPI_Finalize();
  return 0;
}
