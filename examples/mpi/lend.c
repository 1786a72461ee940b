/* lend.c: ranks with unequal work that lend each other their cores while they wait.
 *
 *     mpirun --bind-to none -n 2 -x VICINO_LEND=true ./lend [STEPS]
 *
 * Rank r has r + 1 times the work of rank 0. Each step is several parallel regions and a sum over all ranks,
 * for which the program waits by vicino_lend_until(). (Under `vicino run` MPI_Allreduce() would do the same
 * by itself.) Rank 0 tells the time and the result.
 *
 * To build: mpicc -O2 -fopenmp -c lend.c, then mpicc lend.o -lvicino; see docs/reference/linking.md. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <vicino/lend.h>

/* A part of the integral of 4 / (1 + x^2) over [0, 1], which is pi. */
static double part(long first, long last, long all) {
  double sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (long i = first; i < last; ++i) {
    const double x = ((double)i + 0.5) / (double)all;
    sum += 4 / (1 + x * x);
  }
  return sum / (double)all;
}

static int is_done(void* request) {
  int done = 0;
  MPI_Test(request, &done, MPI_STATUS_IGNORE);
  return done;
}

static double sum_of_all(double mine) {
  double sum = 0;
  MPI_Request request;
  MPI_Iallreduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD, &request);
  if (!vicino_lend_until(is_done, &request, "sum_of_all")) MPI_Wait(&request, MPI_STATUS_IGNORE);
  return sum;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int steps = argc > 1 ? atoi(argv[1]) : 50, regions = 50;
  const long each = 200000;
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  /* Rank r computes regions * (r + 1) of all slices, one after the other. */
  const long slices = (long)regions * size * (size + 1) / 2, all = slices * each;
  const long before = (long)regions * rank * (rank + 1) / 2;
  const double begin = MPI_Wtime();
  double pi = 0;
  for (int step = 0; step < steps; ++step) {
    double mine = 0;
    for (long slice = before; slice < before + (long)regions * (rank + 1); ++slice)
      mine += part(slice * each, (slice + 1) * each, all);
    pi = sum_of_all(mine);
  }
  if (rank == 0) printf("%.10f, %.3f s\n", pi, MPI_Wtime() - begin);
  MPI_Finalize();
  return 0;
}
