// A transparent task that depends on all memory comes after its earlier siblings, by LLVM's entry points: the edge by
// which it waits for them outlives what its own dependences replace.
// test: uses threads=1,2,7
// test: peer gcc libgomp has no such entry points
// test: peer clang-19 libomp has no transparent tasks
#include <omp.h>
#include <stdlib.h>
#include <unistd.h>

#include "check.h"
#include "kmpc_tasks.h"

enum { kTimes = 100, kBlocks = 64, kAllMemory = 0x80 };

static int go, first_ended, ran, in_order;

static int wait_to_go(int gtid, Task* task) {
  (void)gtid, (void)task;
  while (!__atomic_load_n(&go, __ATOMIC_ACQUIRE)) usleep(10);
  __atomic_store_n(&first_ended, 1, __ATOMIC_RELEASE);
  return 0;
}
static int come_after(int gtid, Task* task) {
  (void)gtid, (void)task;
  in_order += __atomic_load_n(&first_ended, __ATOMIC_ACQUIRE);
  ++ran;
  return 0;
}

static void once(int gtid) {
  static int datum;
  go = first_ended = 0;
  Dependence on_datum = {&datum, sizeof datum, kInout}, on_all = {NULL, 0, kAllMemory};
  Task* const before = kmpc.task_alloc(NULL, gtid, kTied, sizeof(Task), 0, wait_to_go);
  kmpc.task_with_deps(NULL, gtid, before, 1, &on_datum, 0, NULL);
  Task* const after = kmpc.task_alloc(NULL, gtid, kTied | kTransparent, sizeof(Task), 0, come_after);
  kmpc.task_with_deps(NULL, gtid, after, 1, &on_all, 0, NULL);
  // What was freed is used again.
  void* blocks[kBlocks];
  for (int i = 0; i < kBlocks; ++i) blocks[i] = memset(malloc(64), 0x41, 64);
  __atomic_store_n(&go, 1, __ATOMIC_RELEASE);
  kmpc.taskwait(NULL, gtid);
  for (int i = 0; i < kBlocks; ++i) free(blocks[i]);
}

int main(void) {
  if (!find_kmpc()) return check_result();
#pragma omp parallel
#pragma omp single
  // One thread alone would run the first task at once, which waits for what comes after it.
  if (omp_get_num_threads() > 1)
    for (int i = 0; i < kTimes; ++i) once(kmpc.global_thread_num(NULL));
  CHECK_EQ(in_order, ran);
  CHECK(ran == kTimes || omp_get_max_threads() == 1);
  return check_result();
}
