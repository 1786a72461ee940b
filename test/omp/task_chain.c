// test: uses OMP_STACKSIZE=64K
// test: peer clang-19 with one thread it runs each task at once, and the stack overflows
// test: variant all VICINO_TASK_CALLS=all
// test: variant drawn VICINO_TASK_CALLS=3
// A chain of tasks, each of which makes the next one, and a row of tasks with some stack each: a
// small stack holds them, whether tasks are calls or not.
#include <omp.h>

#include "check.h"

#ifdef __SANITIZE_THREAD__
enum { kLinks = 50000 };  // each takes ten times as long
#else
enum { kLinks = 1000000 };
#endif
enum { kFrame = 500 };
static long links;

static void next(long left) {
  volatile char frame[kFrame];
  frame[left % kFrame] = 1;
  links += frame[left % kFrame];
  if (left > 1) {
#pragma omp task firstprivate(left)
    next(left - 1);
  }
}

// Other tasks of the row are on the stack below this one, if it is a call.
static long row(int depth) {
  volatile char frame[kFrame];
  frame[depth % kFrame] = 1;
  long below = 0;
  if (depth > 0) {
#pragma omp task shared(below)
    below = row(depth - 1);
#pragma omp taskwait
  }
  return below + frame[depth % kFrame];
}

int main(void) {
#pragma omp parallel
  if (omp_get_thread_num() == omp_get_num_threads() - 1) next(kLinks);
  CHECK_EQ(links, kLinks);
#pragma omp parallel
  if (omp_get_thread_num() == omp_get_num_threads() - 1) {
    for (int i = 0; i < 2000; ++i) {
      long length = row(20);
      CHECK_EQ(length, 21);
    }
  }
  return check_result();
}
