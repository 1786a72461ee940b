// Free agents, by LLVM's entry points and the flag of threadset(omp_pool): trees and chains of tasks, any of them for
// free agents, write variables that only the tasks' order protects.
// test: uses OMP_THREADS_RESERVE=structured(2),free_agent(2) threads=1,2,4
// test: variant passive OMP_WAIT_POLICY=passive
// test: variant cilk VICINO_TASKS=cilk
// test: peer gcc libgomp has no such entry points
// test: peer clang-19 libomp has no free agents
#include <omp.h>
#include <sched.h>

#include "check.h"
#include "kmpc_tasks.h"

enum { kRounds = 40, kChain = 100 };

static int (*is_free_agent)(void);
static int by_agents;

static void count_agents(void) {
  __atomic_fetch_add(&by_agents, is_free_agent(), __ATOMIC_RELAXED);
}

// A task for free agents, or not.
static Task* new_task(int for_pool, size_t bytes, int (*routine)(int, Task*)) {
  return kmpc.task_alloc(NULL, kmpc.global_thread_num(NULL), kTied | (for_pool ? kForPool : 0),
                         bytes, 0, routine);
}
static void spawn(Task* task) { kmpc.task(NULL, kmpc.global_thread_num(NULL), task); }
static void taskwait(void) { kmpc.taskwait(NULL, kmpc.global_thread_num(NULL)); }

typedef struct {
  Task head;
  int n;
  long* result;
} Fib;

static long fib(int n);
static int run_fib(int gtid, Task* task) {
  (void)gtid;
  count_agents();
  const Fib* const mine = (Fib*)task;
  *mine->result = fib(mine->n);
  return 0;
}
static long fib(int n) {
  if (n < 2) return n;
  long results[2];
  for (int i = 0; i < 2; ++i) {
    Fib* const task = (Fib*)new_task((n + i) % 3 != 0, sizeof(Fib), run_fib);
    task->n = n - 1 - i;
    task->result = &results[i];
    spawn(&task->head);
  }
  taskwait();
  return results[0] + results[1];
}

typedef struct {
  Task head;
  int* links;
  int at;
} Link;

static int run_link(int gtid, Task* task) {
  (void)gtid;
  count_agents();
  const Link* const mine = (Link*)task;
  CHECK_EQ(*mine->links, mine->at);
  ++*mine->links;
  return 0;
}
static void chain(void) {
  int links = 0;
  for (int i = 0; i < kChain; ++i) {
    Link* const task = (Link*)new_task(i % 4 != 0, sizeof(Link), run_link);
    task->links = &links;
    task->at = i;
    Dependence on = {&links, sizeof links, kInout};
    kmpc.task_with_deps(NULL, kmpc.global_thread_num(NULL), &task->head, 1, &on, 0, NULL);
  }
  taskwait();
  CHECK_EQ(links, kChain);
}

typedef struct {
  Task head;
  int* sum;
  int* told;
} Region;

// A region that a free agent meets.
static int run_region(int gtid, Task* task) {
  (void)gtid;
  count_agents();
  const Region* const mine = (Region*)task;
  int sum = 0;
#pragma omp parallel num_threads(2) reduction(+ : sum)
  sum += 1;
  *mine->sum = sum;
  __atomic_store_n(mine->told, 1, __ATOMIC_RELEASE);
  return 0;
}
// The thread runs no task meanwhile, so a free agent does.
static void region(void) {
  int sum = 0, told = 0;
  Region* const task = (Region*)new_task(1, sizeof(Region), run_region);
  task->sum = &sum;
  task->told = &told;
  spawn(&task->head);
  const double start = omp_get_wtime();
  while (!__atomic_load_n(&told, __ATOMIC_ACQUIRE) && omp_get_wtime() - start < 30) sched_yield();
  CHECK(told);
  CHECK(sum == 1 || sum == 2);
  taskwait();
}

int main(void) {
  if (!find_kmpc() || !find_entry(&is_free_agent, "omp_is_free_agent")) return check_result();
  for (int round = 0; round < kRounds; ++round) {
    region();
    CHECK_EQ(fib(9), 34);
    chain();
    long result = 0;
#pragma omp parallel num_threads(2)
#pragma omp single
    {
      result = fib(10);
      chain();
    }
    CHECK_EQ(result, 55);
  }
  CHECK(by_agents >= kRounds);
  return check_result();
}
