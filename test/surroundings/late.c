// late.c: `set N` sets OMP_NUM_THREADS in main(), before the first call of OpenMP, and prints what holds then.
// `fork` forks while another thread makes the first call; the child makes it as well.
#include <omp.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static int begun;

static void* call_first(void* nothing) {
  __atomic_store_n(&begun, 1, __ATOMIC_RELEASE);
  if (omp_get_max_threads() < 1) abort();
  return nothing;
}

static int fork_meanwhile(void) {
  pthread_t caller;
  if (pthread_create(&caller, NULL, call_first, NULL) != 0) return 1;
  while (!__atomic_load_n(&begun, __ATOMIC_ACQUIRE)) {
  }
  const pid_t child = fork();
  if (child == 0) {
    alarm(10);  // ends a child that waits for ever
    _exit(omp_get_max_threads() < 1);
  }
  int status = 1;
  waitpid(child, &status, 0);
  pthread_join(caller, NULL);
  return status != 0;
}

int main(int argc, char** argv) {
  if (argc > 1 && strcmp(argv[1], "fork") == 0) return fork_meanwhile();
  if (argc > 2) setenv("OMP_NUM_THREADS", argv[2], 1);
  printf("%d\n", omp_get_max_threads());
  return 0;
}
