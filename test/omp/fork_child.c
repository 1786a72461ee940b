// fork() between regions: the child and the parent both go on with regions of their own.
// test: peer gcc-12 libgomp-12 hangs in the child, whose team's threads are gone
// test: unsanitized thread its library lets no child of a process with threads start threads
// test: native qemu-user 7.2 ends the child of a process with threads
#include <omp.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"

static int region(void) {
  int sum = 0;
#pragma omp parallel for reduction(+ : sum) schedule(dynamic)
  for (int i = 0; i < 1000; ++i) sum += i;
  int count = 0;
#pragma omp parallel reduction(+ : count)
  ++count;
  CHECK_EQ(count, omp_get_max_threads());
  return sum;
}

static void fork_once(int depth) {
  pid_t child = fork();
  if (child == 0) {
    for (int i = 0; i < 5; ++i) CHECK_EQ(region(), 499500);
    if (depth) fork_once(depth - 1);
    exit(check_result());
  }
  for (int i = 0; i < 5; ++i) CHECK_EQ(region(), 499500);
  int status = -1;
  CHECK_EQ(waitpid(child, &status, 0), child);
  CHECK_EQ(status, 0);
}

// A child that is forked inside a region may only exit.
static void fork_inside(void) {
#pragma omp parallel num_threads(2)
#pragma omp masked
  {
    pid_t child = fork();
    if (child == 0) _exit(0);
    int status = -1;
    CHECK_EQ(waitpid(child, &status, 0), child);
    CHECK_EQ(status, 0);
  }
}

int main(void) {
  fork_once(0);  // before the first region of this process too
  CHECK_EQ(region(), 499500);
  for (int round = 0; round < 3; ++round) fork_once(1);
  fork_inside();
  CHECK_EQ(region(), 499500);
  return check_result();
}
