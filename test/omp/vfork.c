// vfork() by a thread that has used OpenMP: the child runs on the parent's stack, so both must find it as it was.
// test: uses threads=1
// test: variant bound OMP_PROC_BIND=close OMP_PLACES=threads
#include <omp.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"

enum { kCalls = 8 };

// Keeps more values over the call than a function may keep in registers.
static __attribute__((noinline)) long status_of_child(long seed) {
  long values[12];
  for (int i = 0; i < 12; ++i) values[i] = seed * (i + 1);
  const pid_t child = vfork();
  if (child == 0) _exit((int)(seed & 63));
  CHECK(child > 0);
  int status = 0;
  CHECK_EQ(waitpid(child, &status, 0), child);
  CHECK(WIFEXITED(status));
  long sum = 0;
  for (int i = 0; i < 12; ++i) sum += values[i];
  CHECK_EQ(sum, seed * 78);
  return WEXITSTATUS(status);
}

int main(void) {
  for (long i = 1; i <= kCalls; ++i) {
    int threads = 0;
#pragma omp parallel reduction(+ : threads)
    threads += 1;
    CHECK_EQ(threads, omp_get_max_threads());
    CHECK_EQ(status_of_child(i), i);
  }
  return check_result();
}
