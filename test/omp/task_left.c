// Tasks outside of any region that the program does not wait for run before the thread ends, or the process.
#include <omp.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"

// In a critical region a task is queued, for it may want the same region.
static void leave(int* count) {
#pragma omp parallel num_threads(1)
  {
  }
#pragma omp critical
  {
#pragma omp task
    *count += 1;
  }
}

static void* thread(void* count) {
  leave(count);
  return NULL;
}

int main(void) {
  int* const counts =
      mmap(NULL, 2 * sizeof(int), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  CHECK(counts != MAP_FAILED);
  pthread_t id;
  CHECK(pthread_create(&id, NULL, thread, &counts[0]) == 0);
  CHECK(pthread_join(id, NULL) == 0);
  CHECK_EQ(counts[0], 1);
  const pid_t child = fork();
  if (child == 0) {
    leave(&counts[1]);
    exit(0);
  }
  CHECK_EQ(waitpid(child, NULL, 0), child);
  CHECK_EQ(counts[1], 1);
  return check_result();
}
