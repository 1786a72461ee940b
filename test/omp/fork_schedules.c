// fork() while another thread chooses schedules by name: the child may choose schedules, too.
// test: unsanitized thread its library lets no child of a process with threads start threads
// test: unsanitized address its allocator is not free in a child if a thread was in it at the fork
#include <omp.h>
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"

enum { kNamed = 110, kSome = 8 };  // Vicino's own kinds; another runtime ignores them
static int done;

static void* choose(void* unused) {
  (void)unused;
  for (int i = 0; !__atomic_load_n(&done, __ATOMIC_RELAXED); ++i)
    omp_set_schedule((omp_sched_t)(kNamed + i % kSome), 1 + i % 100);
  return NULL;
}

int main(void) {
  pthread_t thread;
  CHECK_EQ(pthread_create(&thread, NULL, choose, NULL), 0);
  for (int i = 0; i < 100; ++i) {
    const pid_t child = fork();
    if (child == 0) {
      alarm(20);
      omp_set_schedule((omp_sched_t)(kNamed + i % kSome), 0);
      _exit(0);
    }
    int status = -1;
    CHECK_EQ(waitpid(child, &status, 0), child);
    CHECK_EQ(status, 0);
  }
  __atomic_store_n(&done, 1, __ATOMIC_RELAXED);
  CHECK_EQ(pthread_join(thread, NULL), 0);
  return check_result();
}
