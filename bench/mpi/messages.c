/* messages.c: what a message of 8 bytes takes, and an MPI_Allreduce of 8 bytes, between two ranks.
 *
 * Prints the nanoseconds of a round trip and of a reduction: of the medians of batches, the time of rank 0. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { kBatches = 41, kWarm = 2000, kCalls = 4000 };

static int rank;

static void exchange(double* value) {
  if (rank == 0) {
    MPI_Send(value, 1, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD);
    MPI_Recv(value, 1, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  } else {
    MPI_Recv(value, 1, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    *value += 1;
    MPI_Send(value, 1, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD);
  }
}

static void reduce(double* value) {
  double sum;
  MPI_Allreduce(value, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  *value = sum / 2;
}

static int in_order(const void* a, const void* b) {
  const double x = *(const double*)a, y = *(const double*)b;
  return (x > y) - (x < y);
}

static double median_ns(void (*call)(double*), double* value) {
  double times[kBatches];
  for (int i = 0; i < kWarm; ++i) call(value);
  for (int b = 0; b < kBatches; ++b) {
    MPI_Barrier(MPI_COMM_WORLD);
    const double begin = MPI_Wtime();
    for (int i = 0; i < kCalls; ++i) call(value);
    times[b] = 1e9 * (MPI_Wtime() - begin) / kCalls;
  }
  qsort(times, kBatches, sizeof *times, in_order);
  return times[kBatches / 2];
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  double sent = 0, reduced = 1;
  const double trip = median_ns(exchange, &sent), reduction = median_ns(reduce, &reduced);
  const double right = rank == 0 ? kWarm + kBatches * (double)kCalls : sent;
  if (sent != right || reduced != 1) MPI_Abort(MPI_COMM_WORLD, 1);
  if (rank == 0) printf("{\"round_trip_ns\": %.1f, \"allreduce_ns\": %.1f}\n", trip, reduction);
  MPI_Finalize();
  return 0;
}
