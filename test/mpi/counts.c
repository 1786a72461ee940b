/* Calls each function of the table in mpi_test.py a known number of times, with a known number of
 * bytes. n is the number of ranks, r the rank. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int r, n;
static int a[4096], b[4096], counts[64], displs[64], ones[64];
static MPI_Datatype types[64];

static void collectives(MPI_Comm comm) {
  double x[4] = {1, 2, 3, 4}, y[4];
  for (int i = 0; i < 3; ++i) MPI_Barrier(comm);
  for (int i = 0; i < 2; ++i) MPI_Bcast(a, 10, MPI_INT, 0, comm);
  for (int i = 0; i < 2; ++i) MPI_Reduce(x, y, 4, MPI_DOUBLE, MPI_SUM, 0, comm);
  for (int i = 0; i < 5; ++i) MPI_Allreduce(x, y, 1, MPI_DOUBLE, MPI_SUM, comm);
  MPI_Gather(a, 3, MPI_INT, b, 3, MPI_INT, 0, comm);
  if (r == 0)
    MPI_Gather(MPI_IN_PLACE, 77, MPI_DATATYPE_NULL, b, 3, MPI_INT, 0, comm);
  else
    MPI_Gather(a, 3, MPI_INT, NULL, 0, MPI_DATATYPE_NULL, 0, comm);
  for (int i = 0; i < n; ++i) counts[i] = i + 1, displs[i] = 16 * i, ones[i] = 1, types[i] = MPI_INT;
  MPI_Gatherv(a, r + 1, MPI_INT, b, counts, displs, MPI_INT, 0, comm);
  MPI_Scatter(b, 2, MPI_INT, a, 2, MPI_INT, 0, comm);
  MPI_Scatterv(b, counts, displs, MPI_INT, r == 0 ? MPI_IN_PLACE : a, r + 1, MPI_INT, 0, comm);
  MPI_Allgather(a, 2, MPI_INT, b, 2, MPI_INT, comm);
  MPI_Allgatherv(MPI_IN_PLACE, 99, MPI_DATATYPE_NULL, b, counts, displs, MPI_INT, comm);
  MPI_Alltoall(a, 2, MPI_INT, b, 2, MPI_INT, comm);
  for (int i = 0; i < n; ++i) ones[i] = r + 1;
  MPI_Alltoallv(a, counts, displs, MPI_INT, b, ones, displs, MPI_INT, comm);
  for (int i = 0; i < n; ++i) ones[i] = 1, displs[i] = 4 * i;
  MPI_Alltoallw(a, ones, displs, types, b, ones, displs, types, comm);
  MPI_Reduce_scatter(a, b, ones, MPI_INT, MPI_SUM, comm);
  MPI_Reduce_scatter_block(a, b, 2, MPI_INT, MPI_SUM, comm);
  MPI_Scan(a, b, 1, MPI_INT, MPI_SUM, comm);
  MPI_Exscan(a, b, 1, MPI_INT, MPI_SUM, comm);
}

static void messages(MPI_Comm comm) {
  MPI_Request q[2];
  MPI_Status s[2];
  MPI_Message message;
  int flag, which, done[2];
  MPI_Sendrecv(a, 5, MPI_CHAR, (r + 1) % n, 1, b, 6, MPI_CHAR, (r + n - 1) % n, 1, comm, s);
  MPI_Sendrecv_replace(a, 5, MPI_CHAR, (r + 1) % n, 1, (r + n - 1) % n, 1, comm, s);
  MPI_Isend(a, 7, MPI_CHAR, r, 1, comm, q);
  MPI_Recv(b, 8, MPI_CHAR, r, 1, comm, s);
  MPI_Wait(q, s);
  MPI_Irecv(b, 6, MPI_CHAR, r, 1, comm, q);
  MPI_Ssend(a, 6, MPI_CHAR, r, 1, comm);
  MPI_Waitall(1, q, s);
  MPI_Isend(a, 1, MPI_CHAR, r, 1, comm, q);
  MPI_Probe(r, 1, comm, s);
  MPI_Mprobe(r, 1, comm, &message, s);
  MPI_Mrecv(b, 9, MPI_CHAR, &message, s);
  MPI_Waitany(1, q, &which, s);
  MPI_Irecv(b, 6, MPI_CHAR, r, 1, comm, q);
  MPI_Send(a, 3, MPI_SHORT, r, 1, comm);
  MPI_Waitsome(1, q, &which, done, s);
  for (int i = 0; i < 50; ++i) MPI_Iprobe(r, 9, comm, &flag, s);  /* local */
}

static void communicators(MPI_Comm comm) {
  MPI_Comm copy, half, ring;
  int periodic = 1;
  MPI_Comm_dup(comm, &copy);
  MPI_Comm_split(comm, r % 2, r, &half);
  MPI_Cart_create(comm, 1, &n, &periodic, 0, &ring);
  MPI_Neighbor_alltoall(a, 1, MPI_INT, b, 1, MPI_INT, ring);
  MPI_Comm_free(&copy);
  MPI_Comm_free(&half);
  MPI_Comm_free(&ring);
}

static void windows(MPI_Comm comm) {
  MPI_Win window;
  MPI_Win_create(b, sizeof b, 1, MPI_INFO_NULL, comm, &window);
  MPI_Win_fence(0, window);
  MPI_Win_fence(0, window);
  MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, window);
  MPI_Win_flush(0, window);
  MPI_Win_unlock(0, window);
  MPI_Win_free(&window);
}

static void files(MPI_Comm comm, const char* name) {
  MPI_File file;
  MPI_Status s;
  MPI_File_open(comm, (char*)name, MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file);
  MPI_File_write_at_all(file, 16 * r, a, 4, MPI_INT, &s);
  MPI_File_read_at(file, 16 * r, b, 4, MPI_INT, &s);  /* waits for no other process */
  MPI_File_close(&file);
}

static void derived(MPI_Comm comm) {
  MPI_Datatype rows;
  MPI_Type_vector(3, 1, 5, MPI_INT, &rows);
  MPI_Type_commit(&rows);
  MPI_Bcast(a, 2, rows, 0, comm);
  MPI_Type_free(&rows);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &r);
  MPI_Comm_size(MPI_COMM_WORLD, &n);
  /* Calls that follow each other closely, after which few are timed: pace.hpp. */
  for (int i = 0; i < 200; ++i) MPI_Barrier(MPI_COMM_SELF);
  collectives(MPI_COMM_WORLD);
  messages(MPI_COMM_WORLD);
  communicators(MPI_COMM_WORLD);
  if (n > 1) windows(MPI_COMM_WORLD);  /* Debian's Open MPI makes no window of one rank */
  files(MPI_COMM_WORLD, argv[1]);
  derived(MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
