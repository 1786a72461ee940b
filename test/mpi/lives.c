/* Programs that do not simply begin MPI, call it and end it, by their first argument. */
#include <mpi.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { kThreads = 4, kRounds = 1000, kShortRounds = 100000 };
static int r, n;

static void begin(int* argc, char*** argv) {
  MPI_Init(argc, argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &r);
  MPI_Comm_size(MPI_COMM_WORLD, &n);
}

static int aborts(int argc, char** argv) {
  begin(&argc, &argv);
  MPI_Barrier(MPI_COMM_WORLD);
  if (r == n - 1) MPI_Abort(MPI_COMM_WORLD, 7);
  MPI_Barrier(MPI_COMM_WORLD);
  sleep(20);
  return 0;
}

static int never_ends(int argc, char** argv) {
  begin(&argc, &argv);
  MPI_Barrier(MPI_COMM_WORLD);
  return 0;
}

static int never_begins(int argc, char** argv) {
  (void)argc, (void)argv;
  int begun = 1;
  MPI_Initialized(&begun);
  printf("begun %d\n", begun);
  return 0;
}

static int forks(int argc, char** argv) {
  begin(&argc, &argv);
  MPI_Barrier(MPI_COMM_WORLD);
  const pid_t child = fork();
  if (child == 0) exit(3);
  int status = 0;
  waitpid(child, &status, 0);
  printf("child %d, shell %d\n", WEXITSTATUS(status), WEXITSTATUS(system("exit 4")));
  fflush(stdout);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}

static void* exchange(void* given) {
  MPI_Comm comm = *(MPI_Comm*)given, own;
  int x = 1, y = 0;
  MPI_Comm_split(comm, r, 0, &own);
  for (int i = 0; i < kRounds; ++i)
    MPI_Sendrecv(&x, 1, MPI_INT, (r + 1) % n, 0, &y, 1, MPI_INT, (r + n - 1) % n, 0, comm,
                 MPI_STATUS_IGNORE);
  /* Hardly more than the counting itself, so that threads count at the same time. */
  for (int i = 0; i < kShortRounds; ++i) MPI_Bcast(&x, 1, MPI_INT, 0, own);
  return NULL;
}

static int threads(int argc, char** argv) {
  int level;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
  if (level != MPI_THREAD_MULTIPLE) return 77;
  MPI_Comm_rank(MPI_COMM_WORLD, &r);
  MPI_Comm_size(MPI_COMM_WORLD, &n);
  MPI_Comm comms[kThreads];
  pthread_t ids[kThreads];
  for (int i = 0; i < kThreads; ++i) MPI_Comm_dup(MPI_COMM_WORLD, &comms[i]);
  for (int i = 0; i < kThreads; ++i) pthread_create(&ids[i], NULL, exchange, &comms[i]);
  for (int i = 0; i < kThreads; ++i) pthread_join(ids[i], NULL);
  MPI_Finalize();
  return 0;
}

static void* whole_program(void* unused) {
  int level;
  MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &level);
  MPI_Comm_rank(MPI_COMM_WORLD, &r);
  usleep((useconds_t)(100000 * r));
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
  return unused;
}

static int second_thread(int argc, char** argv) {
  (void)argc, (void)argv;
  pthread_t id;
  pthread_create(&id, NULL, whole_program, NULL);
  pthread_join(id, NULL);
  return 0;
}

static jmp_buf out;

static void jump(MPI_Comm* comm, int* code, ...) {
  (void)comm, (void)code;
  longjmp(out, 1);
}

/* An error handler that leaves the call by longjmp(): the calls behind it are counted. */
static int jumps(int argc, char** argv) {
  begin(&argc, &argv);
  MPI_Errhandler handler;
  MPI_Comm own;
  MPI_Comm_dup(MPI_COMM_SELF, &own);
  MPI_Comm_create_errhandler(jump, &handler);
  MPI_Comm_set_errhandler(own, handler);
  int x = 1;
  /* Calls that follow each other closely, after which few are timed: pace.hpp. */
  for (int i = 0; i < 200; ++i) MPI_Barrier(MPI_COMM_SELF);
  if (setjmp(out) == 0) MPI_Send(&x, 1, MPI_INT, 99, 0, own);
  for (int i = 0; i < 10; ++i) MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}

/* An error that the program handles: a bad type must not reach another handler. */
static int errs(int argc, char** argv) {
  begin(&argc, &argv);
  MPI_Comm own;
  MPI_Comm_dup(MPI_COMM_SELF, &own);
  MPI_Comm_set_errhandler(own, MPI_ERRORS_RETURN);
  int x = 1;
  const int bad_type = MPI_Bcast(&x, 1, MPI_DATATYPE_NULL, 0, own);
  const int bad_root = MPI_Bcast(&x, 1, MPI_INT, 9, own);
  printf("refused %d %d\n", bad_type != MPI_SUCCESS, bad_root != MPI_SUCCESS);
  fflush(stdout);
  MPI_Finalize();
  return 0;
}

static const struct {
  const char* name;
  int (*run)(int, char**);
} kLives[] = {{"aborts", aborts},   {"never_ends", never_ends}, {"never_begins", never_begins},
              {"forks", forks},     {"threads", threads},       {"second_thread", second_thread},
              {"jumps", jumps},     {"errs", errs}};

int main(int argc, char** argv) {
  for (size_t i = 0; i < sizeof kLives / sizeof *kLives; ++i)
    if (argc > 1 && strcmp(argv[1], kLives[i].name) == 0) return kLives[i].run(argc, argv);
  return 2;
}
