// MPI_Sendrecv to a rank that there is not, where nobody sends: returns MPI's error.
#include <mpi.h>
#include <stdio.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  int sent = 1, received = 2, kind = 0;
  const int error = MPI_Sendrecv(&sent, 1, MPI_INT, 77, 5, &received, 1, MPI_INT, MPI_ANY_SOURCE, 6, MPI_COMM_WORLD,
                                 MPI_STATUS_IGNORE);
  MPI_Error_class(error, &kind);
  puts(kind == MPI_ERR_RANK ? "refused" : "not refused");
  MPI_Finalize();
  return 0;
}
