/* Calls that lend cores while they wait (VICINO_LEND): every answer is checked, and rank 0 counts its regions
 * of two threads or more while the others wait for it in the call that the argument names. It counts in the second
 * half of the time: in the first one, others may still be lending in the barrier before. With a second argument there
 * are pauses between its regions, so that a trace has room for all of them. */
#include <mpi.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int rank, size;

static void fail(const char* what) {
  fprintf(stderr, "rank %d: wrong: %s\n", rank, what);
  MPI_Abort(MPI_COMM_WORLD, 1);
}
#define CHECK(condition) ((condition) ? (void)0 : fail(#condition))

static void collectives(void) {
  int mine = rank + 1, sum = 0, all[8], twice[16], counts[8], displs[8];
  for (int i = 0; i < size; ++i) counts[i] = 1, displs[i] = i;
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Allreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  CHECK(sum == size * (size + 1) / 2);
  sum = mine;
  MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  CHECK(sum == size * (size + 1) / 2);
  sum = 0;
  MPI_Reduce(&mine, &sum, 1, MPI_INT, MPI_SUM, size - 1, MPI_COMM_WORLD);
  CHECK(rank != size - 1 || sum == size * (size + 1) / 2);
  int told = rank == 0 ? 42 : 0;
  MPI_Bcast(&told, 1, MPI_INT, 0, MPI_COMM_WORLD);
  CHECK(told == 42);
  memset(all, 0, sizeof all);
  MPI_Allgather(&mine, 1, MPI_INT, all, 1, MPI_INT, MPI_COMM_WORLD);
  CHECK(all[size - 1] == size && all[0] == 1);
  memset(all, 0, sizeof all);
  MPI_Allgatherv(&mine, 1, MPI_INT, all, counts, displs, MPI_INT, MPI_COMM_WORLD);
  CHECK(all[size - 1] == size && all[0] == 1);
  MPI_Gather(&mine, 1, MPI_INT, all, 1, MPI_INT, 0, MPI_COMM_WORLD);
  int scattered = 0;
  MPI_Scatter(all, 1, MPI_INT, &scattered, 1, MPI_INT, 0, MPI_COMM_WORLD);
  CHECK(scattered == mine);
  MPI_Gatherv(&mine, 1, MPI_INT, all, counts, displs, MPI_INT, 0, MPI_COMM_WORLD);
  MPI_Scatterv(all, counts, displs, MPI_INT, &scattered, 1, MPI_INT, 0, MPI_COMM_WORLD);
  CHECK(scattered == mine);
  for (int i = 0; i < size; ++i) all[i] = 10 * rank + i;
  MPI_Alltoall(all, 1, MPI_INT, twice, 1, MPI_INT, MPI_COMM_WORLD);
  for (int i = 0; i < size; ++i) CHECK(twice[i] == 10 * i + rank);
  memset(twice, 0, sizeof twice);
  MPI_Alltoallv(all, counts, displs, MPI_INT, twice, counts, displs, MPI_INT, MPI_COMM_WORLD);
  for (int i = 0; i < size; ++i) CHECK(twice[i] == 10 * i + rank);
  MPI_Scan(&mine, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  CHECK(sum == mine * (mine + 1) / 2);
  MPI_Exscan(&mine, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  CHECK(rank == 0 || sum == rank * (rank + 1) / 2);
  for (int i = 0; i < size; ++i) all[i] = i;
  MPI_Reduce_scatter_block(all, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  CHECK(sum == size * rank);
}

static void messages(void) {
  const int next = (rank + 1) % size, before = (rank + size - 1) % size;
  int mine = rank, got = -1, more[3] = {-1, -1, -1};
  MPI_Status status;
  MPI_Request requests[4];
  MPI_Sendrecv(&mine, 1, MPI_INT, next, 5, &got, 1, MPI_INT, before, 5, MPI_COMM_WORLD, &status);
  CHECK(got == before && status.MPI_SOURCE == before && status.MPI_TAG == 5);
#if MPI_VERSION >= 4
  got = -1;
  MPI_Sendrecv_c(&mine, 1, MPI_INT, next, 4, &got, 1, MPI_INT, before, 4, MPI_COMM_WORLD, &status);
  CHECK(got == before && status.MPI_SOURCE == before && status.MPI_TAG == 4);
#endif
  MPI_Isend(&mine, 1, MPI_INT, next, 6, MPI_COMM_WORLD, &requests[0]);
  MPI_Recv(&got, 1, MPI_INT, MPI_ANY_SOURCE, 6, MPI_COMM_WORLD, &status);
  int count = 0;
  MPI_Get_count(&status, MPI_INT, &count);
  CHECK(got == before && status.MPI_SOURCE == before && status.MPI_TAG == 6 && count == 1);
  MPI_Wait(&requests[0], &status);
  CHECK(requests[0] == MPI_REQUEST_NULL);
  MPI_Wait(&requests[0], MPI_STATUS_IGNORE); /* of nothing */
  for (int i = 0; i < 3; ++i) MPI_Irecv(&more[i], 1, MPI_INT, before, 10 + i, MPI_COMM_WORLD, &requests[i]);
  for (int i = 0; i < 3; ++i) MPI_Send(&i, 1, MPI_INT, next, 10 + i, MPI_COMM_WORLD);
  int index = -1, done = 0, indices[4];
  MPI_Status statuses[4];
  MPI_Waitany(3, requests, &index, &status);
  CHECK(index >= 0 && index < 3 && more[index] == index && status.MPI_TAG == 10 + index);
  for (int left = 2; left > 0; left -= done) {
    MPI_Waitsome(3, requests, &done, indices, statuses);
    CHECK(done >= 1 && done <= left);
    for (int i = 0; i < done; ++i) CHECK(statuses[i].MPI_TAG == 10 + indices[i]);
  }
  MPI_Waitsome(3, requests, &done, indices, MPI_STATUSES_IGNORE);
  CHECK(done == MPI_UNDEFINED);
  MPI_Waitany(3, requests, &index, &status);
  CHECK(index == MPI_UNDEFINED);
  for (int i = 0; i < 3; ++i) CHECK(more[i] == i);
  MPI_Irecv(&got, 1, MPI_INT, before, 7, MPI_COMM_WORLD, &requests[0]);
  MPI_Issend(&mine, 1, MPI_INT, next, 7, MPI_COMM_WORLD, &requests[1]);
  MPI_Waitall(2, requests, statuses);
  CHECK(got == before && statuses[0].MPI_TAG == 7);
  if (rank == 0 && size > 1) MPI_Ssend(&mine, 1, MPI_INT, next, 8, MPI_COMM_WORLD);
  if (rank == 1) {
    MPI_Message message;
    MPI_Mprobe(0, 8, MPI_COMM_WORLD, &message, &status);
    CHECK(status.MPI_SOURCE == 0 && status.MPI_TAG == 8);
    MPI_Mrecv(&got, 1, MPI_INT, &message, &status);
    CHECK(got == 0);
  }
  int copy[3] = {-1, -1, -1};
  MPI_Isend(more, 3, MPI_INT, next, 9, MPI_COMM_WORLD, &requests[0]);
  MPI_Probe(MPI_ANY_SOURCE, 9, MPI_COMM_WORLD, &status);
  MPI_Get_count(&status, MPI_INT, &count);
  CHECK(status.MPI_SOURCE == before && status.MPI_TAG == 9 && count == 3);
  MPI_Recv(copy, 3, MPI_INT, before, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  CHECK(copy[2] == 2);
  MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
  MPI_Probe(MPI_PROC_NULL, 9, MPI_COMM_WORLD, &status); /* has come at once */
  CHECK(status.MPI_SOURCE == MPI_PROC_NULL);
}

/* MPICH 4.0 loses what is put into a window of less than 16 bytes. */
static int in_window[1024];
static MPI_Win window;

static void make_window(void) {
  MPI_Win_create(in_window, sizeof in_window, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &window);
}

static MPI_Group ranks_from(int first, int count) {
  MPI_Group world, some;
  int range[1][3] = {{first, first + count - 1, 1}};
  MPI_Comm_group(MPI_COMM_WORLD, &world);
  MPI_Group_range_incl(world, 1, range, &some);
  MPI_Group_free(&world);
  return some;
}

/* Lets the ranks of the group write the window, and waits until they have. */
static void be_written(MPI_Group by) {
  MPI_Win_post(by, 0, window);
  MPI_Win_wait(window);
}

static void write_to(MPI_Group to, int first, int count) {
  MPI_Win_start(to, 0, window);
  for (int i = first; i < first + count; ++i) MPI_Put(&rank, 1, MPI_INT, i, 0, 1, MPI_INT, window);
  MPI_Win_complete(window);
}

static void windows(void) {
  MPI_Group first = ranks_from(0, 1), others = ranks_from(1, size - 1);
  for (int i = 0; i < 10; ++i) {
    in_window[0] = -1;
    if (rank == 0) write_to(others, 1, size - 1);
    if (rank != 0) be_written(first), CHECK(in_window[0] == 0);
    MPI_Win_fence(0, window);
    MPI_Put(&rank, 1, MPI_INT, (rank + 1) % size, 0, 1, MPI_INT, window);
    MPI_Win_fence(0, window);
    CHECK(in_window[0] == (rank + size - 1) % size);
    MPI_Win_fence(MPI_MODE_NOSUCCEED, window);
  }
  MPI_Group_free(&first);
  MPI_Group_free(&others);
}

/* Between two groups collectives block. */
static void groups(void) {
  if (size < 2) return;
  MPI_Comm half, inter;
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
  MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - rank % 2, 3, &inter);
  MPI_Barrier(inter);
  int mine = 1, theirs = 0;
  MPI_Allreduce(&mine, &theirs, 1, MPI_INT, MPI_SUM, inter);
  CHECK(theirs == (rank % 2 == 0 ? size / 2 : (size + 1) / 2));
  MPI_Comm_free(&inter);
  MPI_Comm_free(&half);
}

/* Requests of files, in whose progress MPICH has its own ways. */
static void files(void) {
  const char* const folder = getenv("TMPDIR");
  char name[4096];
  snprintf(name, sizeof name, "%s/vicino-lend-test-%d", folder != NULL ? folder : "/tmp", (int)getpid());
  const int values[2] = {rank, size};
  int read[2] = {-1, -1};
  MPI_File file;
  MPI_Request requests[2];
  MPI_Status statuses[2];
  CHECK(MPI_File_open(MPI_COMM_SELF, name, MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE,
                      MPI_INFO_NULL, &file) == MPI_SUCCESS);
  for (int i = 0; i < 2; ++i) MPI_File_iwrite_at(file, i * (int)sizeof(int), &values[i], 1, MPI_INT, &requests[i]);
  MPI_Waitall(2, requests, statuses);
  for (int i = 0; i < 2; ++i) MPI_File_iread_at(file, i * (int)sizeof(int), &read[i], 1, MPI_INT, &requests[i]);
  MPI_Wait(&requests[1], &statuses[1]);
  MPI_Waitall(2, requests, statuses);
  CHECK(read[0] == rank && read[1] == size);
  MPI_File_close(&file);
}

/* An error is returned, and does not hang. */
static void errors(void) {
  int value = 0;
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  CHECK(MPI_Send(&value, 1, MPI_INT, size + 7, 0, MPI_COMM_WORLD) != MPI_SUCCESS);
  CHECK(MPI_Bcast(&value, 1, MPI_INT, size + 7, MPI_COMM_WORLD) != MPI_SUCCESS);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
}

static void wait_for_message(const char* call) {
  int value = 0, sent = 0, index, done, indices[1];
  MPI_Request request;
  MPI_Message message;
  if (strcmp(call, "Recv") == 0) {
    MPI_Recv(&value, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  } else if (strcmp(call, "Probe") == 0) {
    MPI_Probe(0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Recv(&value, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  } else if (strcmp(call, "Mprobe") == 0) {
    MPI_Mprobe(0, 1, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE);
    MPI_Mrecv(&value, 1, MPI_INT, &message, MPI_STATUS_IGNORE);
  } else if (strcmp(call, "Sendrecv") == 0) {
    MPI_Sendrecv(&sent, 1, MPI_INT, MPI_PROC_NULL, 1, &value, 1, MPI_INT, 0, 1, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
#if MPI_VERSION >= 4
  } else if (strcmp(call, "Sendrecv_c") == 0) {
    MPI_Sendrecv_c(&sent, 1, MPI_INT, MPI_PROC_NULL, 1, &value, 1, MPI_INT, 0, 1, MPI_COMM_WORLD,
                   MPI_STATUS_IGNORE);
#endif
  } else {
    MPI_Irecv(&value, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, &request);
    if (strcmp(call, "Wait") == 0) MPI_Wait(&request, MPI_STATUS_IGNORE);
    if (strcmp(call, "Waitall") == 0) MPI_Waitall(1, &request, MPI_STATUSES_IGNORE);
    if (strcmp(call, "Waitany") == 0) MPI_Waitany(1, &request, &index, MPI_STATUS_IGNORE);
    if (strcmp(call, "Waitsome") == 0)
      MPI_Waitsome(1, &request, &done, indices, MPI_STATUSES_IGNORE);
    CHECK(request == MPI_REQUEST_NULL);
  }
}

static void wait_by(const char* call) {
  int value = 0, sum;
  if (strcmp(call, "Allreduce") == 0) {
    MPI_Allreduce(&value, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  } else if (strcmp(call, "Barrier") == 0) {
    MPI_Barrier(MPI_COMM_WORLD);
  } else if (strcmp(call, "Win_wait") == 0) {
    MPI_Group ranks = rank == 0 ? ranks_from(1, size - 1) : ranks_from(0, 1);
    if (rank == 0) write_to(ranks, 1, size - 1);
    if (rank != 0) be_written(ranks);
    MPI_Group_free(&ranks);
  } else if (rank == 0) {
    for (int i = 1; i < size; ++i) MPI_Send(&value, 1, MPI_INT, i, 1, MPI_COMM_WORLD);
  } else {
    wait_for_message(call);
  }
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (int round = 0; round < 20; ++round) {
    collectives();
    messages();
  }
  if (size > 1) make_window(), windows(); /* Open MPI 4.1 cannot make one for a rank that is alone. */
  groups();
  errors();
  int wide = 0;
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) {
    const double half = MPI_Wtime() + 0.15, end = half + 0.15;
    for (double now; (now = MPI_Wtime()) < end;) {
#pragma omp parallel
#pragma omp single
      wide += now > half && omp_get_num_threads() > 1;
      if (argc > 2) usleep(200);
    }
  }
  wait_by(argc > 1 ? argv[1] : "Barrier");
  int alone = 0;
#pragma omp parallel
#pragma omp single
  alone = omp_get_num_threads();
  files();
  if (size > 1) MPI_Win_free(&window);
  if (rank == 0) printf("%d %d\n", wide > 0, alone);
  MPI_Finalize();
  return 0;
}
