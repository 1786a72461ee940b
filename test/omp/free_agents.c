// Tasks with threadset(omp_pool) are run by threads of no team. The compilers here do not know the clause, so
// this program adds the clause's flag to each task while `for_pool` is set.
// test: skip gcc the flag is LLVM's
// test: uses OMP_THREADS_RESERVE=structured(2),free_agent(2) threads=1,2,4
// test: variant limited OMP_THREADS_RESERVE=structured(2),free_agent(2) OMP_THREAD_LIMIT=4
// test: variant full OMP_THREADS_RESERVE=4 OMP_THREAD_LIMIT=4
// test: variant cilk VICINO_TASKS=cilk
// test: variant nas VICINO_TASKS=nas
// test: peer clang-19 libomp has no free agents
// test: native qemu-user 7.2 ends the child of a process with threads
#include <omp.h>
#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"

enum { kUnassigned = -2, kTasks = 200 };

int omp_is_free_agent(void) __attribute__((weak));
int omp_ancestor_is_free_agent(int level) __attribute__((weak));

static int for_pool;
#define FOR_POOL __atomic_load_n(&for_pool, __ATOMIC_RELAXED)
#include "for_pool.h"

static void set(int* flag) { __atomic_store_n(flag, 1, __ATOMIC_RELEASE); }
static int is_set(int* flag) { return __atomic_load_n(flag, __ATOMIC_ACQUIRE); }
// No task runs on this thread meanwhile.
static void await(int* flag) {
  const double start = omp_get_wtime();
  while (!is_set(flag) && omp_get_wtime() - start < 30) sched_yield();
  CHECK(is_set(flag));
}

// A region that a free agent meets: its primary thread is one, too.
static void check_inner_region(int level) {
#pragma omp parallel num_threads(2)
  {
    const int primary = omp_get_thread_num() == 0;
    CHECK_EQ(omp_get_level(), level + 1);
    CHECK_EQ(!!omp_is_free_agent(), primary);
    CHECK_EQ(!!omp_ancestor_is_free_agent(level + 1), primary);
    CHECK(omp_ancestor_is_free_agent(level));
    CHECK_EQ(omp_get_ancestor_thread_num(level), kUnassigned);
    CHECK(!omp_ancestor_is_free_agent(level + 2) && !omp_ancestor_is_free_agent(-1));
  }
}

// By a free agent, in a task of a team of so many threads.
static void check_agent(int level, int threads) {
  CHECK(omp_is_free_agent() && omp_ancestor_is_free_agent(level));
  CHECK(level == 0 || !omp_ancestor_is_free_agent(0));
  CHECK_EQ(omp_get_thread_num(), kUnassigned);
  CHECK_EQ(omp_get_num_threads(), threads);
  CHECK_EQ(omp_get_level(), level);
  CHECK(omp_in_explicit_task());
  check_inner_region(level);
}

// The thread makes a task and does not wait for it.
static void check_outside(void) {
  int ran = 0, children = 0;
  for_pool = 1;
#pragma omp task shared(ran, children)
  {
    check_agent(0, 1);
    // A task that is not for free agents is left to the team, also when a free agent has made it.
    __atomic_store_n(&for_pool, 0, __ATOMIC_RELAXED);
    for (int i = 0; i < kTasks; ++i)
#pragma omp task shared(children)
    {
      CHECK(!omp_is_free_agent());
      CHECK_EQ(omp_get_thread_num(), 0);
      __atomic_fetch_add(&children, 1, __ATOMIC_RELAXED);
    }
    set(&ran);
#pragma omp taskwait
    CHECK_EQ(children, kTasks);
    check_agent(0, 1);
  }
  await(&ran);
  CHECK(!omp_is_free_agent());
#pragma omp taskwait
  CHECK_EQ(children, kTasks);
}

// All threads of the team wait without running tasks.
static void check_team(void) {
  int ran = 0;
#pragma omp parallel num_threads(2)
  {
#pragma omp single nowait
    {
      for_pool = 1;
#pragma omp task shared(ran)
      {
        check_agent(1, 2);
        set(&ran);
      }
    }
    await(&ran);
    CHECK(!omp_is_free_agent());
  }
  for_pool = 0;
}

// What a free agent reduces, and what the team does, in one group.
static void check_reduction(void) {
  int ran = 0;
  long sum = 0;
  for_pool = 1;
#pragma omp task shared(ran, sum)
  {
    __atomic_store_n(&for_pool, 0, __ATOMIC_RELAXED);
#pragma omp taskgroup task_reduction(+ : sum)
    for (int i = 0; i < kTasks; ++i) {
#pragma omp task in_reduction(+ : sum)
      sum += i;
#pragma omp task in_reduction(+ : sum) if (0)
      sum += 1;
      set(&ran);
    }
  }
  await(&ran);
#pragma omp taskwait
  CHECK_EQ(sum, kTasks * (kTasks - 1) / 2 + kTasks);
}

// Dependences, untied tasks and a deep tree.
static long fib(int n) {
  if (n < 2) return n;
  long a, b;
#pragma omp task shared(a) untied
  a = fib(n - 1);
#pragma omp task shared(b) if (n % 3)
  b = fib(n - 2);
#pragma omp taskwait
  return a + b;
}
static void check_trees(void) {
  for_pool = 1;
  CHECK_EQ(fib(15), 610);
  int order = 0;
  for (int i = 0; i < kTasks; ++i)
#pragma omp task depend(inout : order) shared(order)
    CHECK_EQ(order++, i);
#pragma omp taskwait
  CHECK_EQ(order, kTasks);
  long sum = 0;
#pragma omp parallel num_threads(2) reduction(+ : sum)
  {
#pragma omp single
    sum = fib(14);
#pragma omp barrier
#pragma omp single nowait
#pragma omp taskloop grainsize(1)
    for (int i = 0; i < 50; ++i) CHECK(omp_get_num_threads() == 2);
  }
  CHECK_EQ(sum, 377);
  for_pool = 0;
}

// Where the limit leaves no room for free agents, the team runs the tasks.
static void check_no_agents(void) {
  int by_agents = 0, ran = 0;
#pragma omp parallel
#pragma omp single
  {
    for_pool = 1;
    for (int i = 0; i < kTasks; ++i)
#pragma omp task
    {
      __atomic_fetch_add(&by_agents, omp_is_free_agent(), __ATOMIC_RELAXED);
      __atomic_fetch_add(&ran, 1, __ATOMIC_RELAXED);
    }
  }
  for_pool = 0;
  CHECK_EQ(by_agents, 0);
  CHECK_EQ(ran, kTasks);
}

static int size_of(int threads) {
  int size = 0;
#pragma omp parallel num_threads(threads)
#pragma omp single
  size = omp_get_num_threads();
  return size;
}

// The process's end waits for tasks that nobody has waited for.
static void leave_tasks(int to) {
  for_pool = 1;
  for (int i = 0; i < kTasks; ++i)
#pragma omp task firstprivate(to)
  {
    usleep(1000);  // so that some are being run when the process ends
    CHECK_EQ(write(to, "x", 1), 1);
  }
  exit(check_result());
}
static void check_left_tasks(void) {
  int pipes[2], status;
  CHECK_EQ(pipe(pipes), 0);
  const pid_t child = fork();
  if (child == 0) leave_tasks(pipes[1]);
  close(pipes[1]);
  char byte;
  int seen = 0;
  while (read(pipes[0], &byte, 1) == 1) ++seen;
  CHECK_EQ(waitpid(child, &status, 0), child);
  CHECK_EQ(status, 0);
  CHECK_EQ(seen, kTasks);
}

// A child has no free agents, and does not wait for what they ran in its parent.
static void check_fork(void) {
  int ran = 0, ends = 0, status;
  for_pool = 1;
#pragma omp task shared(ran, ends)
  {
    set(&ran);
    await(&ends);
  }
  await(&ran);
  const pid_t child = fork();
  if (child == 0) {
    alarm(20);
#pragma omp taskwait
    CHECK_EQ(fib(10), 55);
    _exit(check_result());
  }
  CHECK_EQ(waitpid(child, &status, 0), child);
  CHECK_EQ(status, 0);
  set(&ends);
#pragma omp taskwait
  for_pool = 0;
}

int main(void) {
  const int limit = omp_get_thread_limit();
  CHECK(omp_is_free_agent != NULL && omp_ancestor_is_free_agent != NULL);
  if (check_result() != 0) return check_result();
  check_left_tasks();
  CHECK(!omp_is_free_agent() && !omp_ancestor_is_free_agent(0));
  if (getenv("OMP_THREADS_RESERVE")[0] == '4') {
    CHECK_EQ(size_of(8), 4);
    check_no_agents();
    return check_result();
  }
  CHECK_EQ(size_of(8), limit == 4 ? 2 : 8);
  for (int round = 0; round < 20; ++round) {
    check_outside();
    check_team();
    check_reduction();
    check_trees();
  }
  check_fork();
  check_outside();
  return check_result();
}
