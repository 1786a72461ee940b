// test: peer gcc-12 with one thread it runs each task at once
// test: peer clang-19 with one thread it runs each task at once
// A task is not run at once while the thread that makes it holds a lock, wherever the thread has taken
// it: before it had met any other construct, or before fork(). After that it is run at once again, as a team
// of one thread runs its tasks; also in a child that was forked inside a task.
#include <omp.h>
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"

static omp_lock_t first, second;

static int runs_at_once(void) {
  int ran = 0, before;
#pragma omp task shared(ran)
  __atomic_store_n(&ran, 1, __ATOMIC_RELAXED);
  before = __atomic_load_n(&ran, __ATOMIC_RELAXED);
#pragma omp taskwait
  CHECK_EQ(ran, 1);
  return before;
}

static void* meet(void* nothing) {
  omp_set_lock(&first);
  CHECK_EQ(runs_at_once(), 0);  // only now does the runtime know the thread
  omp_set_lock(&second);
  omp_unset_lock(&first);
  CHECK_EQ(runs_at_once(), 0);
  omp_unset_lock(&second);
  CHECK_EQ(runs_at_once(), 1);
  return nothing;
}

static void* meet_in_critical(void* nothing) {
#pragma omp critical
  CHECK_EQ(runs_at_once(), 0);
  CHECK_EQ(runs_at_once(), 1);
  return nothing;
}

static void in_new_thread(void* (*function)(void*)) {
  pthread_t thread;
  CHECK(pthread_create(&thread, NULL, function, NULL) == 0);
  CHECK(pthread_join(thread, NULL) == 0);
}

static void end_child(pid_t child) {
  int status = -1;
  if (child == 0) _exit(check_result());
  CHECK_EQ(waitpid(child, &status, 0), child);
  CHECK_EQ(status, 0);
}

static void fork_in_task(void) {
  pid_t child = -1;
#pragma omp task shared(child)
  {
#pragma omp taskgroup
    {
    }
    child = fork();
    CHECK_EQ(runs_at_once(), 1);
  }
#pragma omp taskwait
  CHECK_EQ(runs_at_once(), 1);
  end_child(child);
}

static void fork_in_critical(void) {
  pid_t child = -1;
#pragma omp critical
  {
    child = fork();
    CHECK_EQ(runs_at_once(), 0);
  }
  CHECK_EQ(runs_at_once(), 1);
  end_child(child);
}

static void fork_in_region(void) {
  pid_t child = -1;
#pragma omp parallel num_threads(1)
  {
    child = fork();
    CHECK_EQ(runs_at_once(), 1);
  }
  CHECK_EQ(runs_at_once(), 1);
  end_child(child);
}

// The child goes on in the middle of a region of one thread, while it begins others.
static void fork_in_task_of_region(void) {
  pid_t child = -1;
#pragma omp parallel num_threads(1)
  {
#pragma omp task shared(child)
    {
      child = fork();
#pragma omp parallel num_threads(1)
      CHECK_EQ(runs_at_once(), 1);
      if (child == 0) omp_pause_resource_all(omp_pause_soft);
#pragma omp parallel num_threads(1)
      CHECK_EQ(runs_at_once(), 1);
    }
#pragma omp taskwait
  }
  CHECK_EQ(runs_at_once(), 1);
  end_child(child);
}

int main(void) {
  omp_init_lock(&first);
  omp_init_lock(&second);
  in_new_thread(meet);
  in_new_thread(meet_in_critical);
  CHECK_EQ(runs_at_once(), 1);
  fork_in_task();
  fork_in_critical();
  fork_in_region();
  fork_in_task_of_region();
  return check_result();
}
