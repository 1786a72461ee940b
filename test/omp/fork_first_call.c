// fork() while another thread of the process is in its first call of the runtime: the child can call it, too.
// test: uses threads=4
// test: variant recorded machine=epyc-9354-2x32-nps4
// test: variant places OMP_PLACES=threads OMP_PROC_BIND=close
// test: unsanitized address its allocator is not free in a child if a thread was in it at the fork
// test: unsanitized thread its library lets no child of a process with threads start threads
// test: native qemu-user 7.2 ends the child of a process with threads
#include <omp.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"

static void ask(void) { CHECK(omp_get_num_procs() > 0); }

static void region(void) {
  int count = 0;
#pragma omp parallel reduction(+ : count)
  ++count;
  CHECK_EQ(count, omp_get_max_threads());
}

static void* call(void* function) {
  (*(void (**)(void))function)();
  return NULL;
}

static int ended_well(pid_t child) {
  int status = -1;
  CHECK_EQ(waitpid(child, &status, 0), child);
  return status == 0;
}

static void wait_until(double time) {
  while (omp_get_wtime() < time) {
  }
}

// In a process that has not called the runtime yet: its child is made so many seconds after another thread has begun
// the call.
static void fork_beside(void (*function)(void), double delay) {
  pthread_t thread;
  const double start = omp_get_wtime();
  CHECK(pthread_create(&thread, NULL, call, &function) == 0);
  wait_until(start + delay);
  const pid_t child = fork();
  if (child == 0) {
    alarm(5);
    function();
    _exit(check_result());
  }
  CHECK(ended_well(child));
  CHECK(pthread_join(thread, NULL) == 0);
}

// How long the first call takes.
static double duration(void (*function)(void)) {
  double* const seconds =
      mmap(NULL, sizeof *seconds, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  const pid_t child = fork();
  if (child == 0) {
    const double start = omp_get_wtime();
    function();
    *seconds = omp_get_wtime() - start;
    _exit(check_result());
  }
  CHECK(ended_well(child));
  return *seconds;
}

int main(void) {
  enum { kTrials = 20 };
  void (*const functions[])(void) = {ask, region};
  for (int i = 0; i < 2; ++i) {
    const double all = duration(functions[i]);
    for (int trial = 0; trial < kTrials && check_result() == 0; ++trial) {
      const pid_t child = fork();
      if (child == 0) {
        fork_beside(functions[i], all * trial / kTrials);
        _exit(check_result());
      }
      CHECK(ended_well(child));
    }
  }
  return check_result();
}
