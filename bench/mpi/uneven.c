/* uneven.c: two ranks, of which one has `factor` times the work of the other: STEPS steps of REGIONS short
 * parallel regions each, and an allreduce. Prints the time of the steps and a checksum.
 *
 *     uneven STEPS REGIONS FACTOR MICROSECONDS LAYER     MICROSECONDS: of a region of the other rank on one core
 *
 * The allreduce is waited for by vicino_lend_until(), unless LAYER is 1: then by MPI_Allreduce, for the PMPI
 * layer. */
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

typedef int until(int (*done)(void*), void* argument, const void* where);
static until* lend_until;
static int none(int (*done)(void*), void* argument, const void* where) {
  (void)done, (void)argument, (void)where;
  return 0;
}

static double work(long iterations) {
  double sum = 0;
#pragma omp parallel for reduction(+ : sum) schedule(static)
  for (long i = 0; i < iterations; ++i) {
    double x = 1.0 + 1e-9 * (double)i;
    for (int k = 0; k < 50; ++k) x = x * 1.0000001 + 1e-9;
    sum += x;
  }
  return sum;
}

static int is_done(void* request) {
  int done = 0;
  MPI_Test(request, &done, MPI_STATUS_IGNORE);
  return done;
}

static void wait_for(MPI_Request* request) {
  if (!lend_until(is_done, request, "allreduce")) MPI_Wait(request, MPI_STATUS_IGNORE);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  if (argc != 6) MPI_Abort(MPI_COMM_WORLD, 2);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  *(void**)&lend_until = dlsym(RTLD_DEFAULT, "vicino_lend_until");
  if (lend_until == NULL) lend_until = none;
  const int steps = atoi(argv[1]), regions = atoi(argv[2]);
  const double factor = rank == 0 ? atof(argv[3]) : 1;
  const int layer = atoi(argv[5]);
  /* 50 multiplications and additions one after the other take about 0.13 us. */
  const long iterations = (long)(factor * atof(argv[4]) / 0.13);
  double sum = 0, all = 0, begin = 0;
  for (int step = -2; step < steps; ++step) {
    if (step == 0) {
      MPI_Barrier(MPI_COMM_WORLD);
      begin = MPI_Wtime();
    }
    for (int r = 0; r < regions; ++r) sum += work(iterations);
    if (layer) {
      MPI_Allreduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    } else {
      MPI_Request request;
      MPI_Iallreduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD, &request);
      wait_for(&request);
    }
  }
  if (rank == 0) printf("{\"steps_ns\": %.0f, \"checksum\": \"%.5g\"}\n", 1e9 * (MPI_Wtime() - begin), all);
  MPI_Finalize();
  return 0;
}
