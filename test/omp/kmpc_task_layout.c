// test: peer gcc libgomp has no such entry points
// test: uses threads=1,2
// Where a task's shareds lie: directly behind the task, at the next multiple of eight bytes. The functions by which
// flang 21 and newer copy the tasks of a taskloop count on that and do not follow the pointer.
#include <omp.h>

#include "check.h"
#include "kmpc_tasks.h"

static int ran;

static int body(int gtid, Task* task) {
  (void)gtid;
  __atomic_fetch_add(&ran, *(char*)task->shareds, __ATOMIC_RELAXED);
  return 0;
}

static void check_size(int gtid, int flags, size_t bytes, size_t shareds) {
  Task* const task = kmpc.task_alloc(NULL, gtid, flags, bytes, shareds, body);
  CHECK_EQ((char*)task->shareds - (char*)task, (bytes + 7) / 8 * 8);
  CHECK_EQ((uintptr_t)task % 8, 0);
  memset(task->shareds, 1, shareds);
  kmpc.task(NULL, gtid, task);
}

int main(void) {
  if (!find_kmpc()) return check_result();
#pragma omp parallel
#pragma omp single
  {
    const int gtid = kmpc.global_thread_num(NULL);
    for (size_t bytes = sizeof(Task); bytes < 80; ++bytes)
      for (size_t shareds = 1; shareds < 3000; shareds *= 7)
        for (int flags = kTied; flags <= (kTied | kFinal); flags += kFinal)
          check_size(gtid, flags, bytes, shareds);
  }
  CHECK_EQ(ran, 40 * 5 * 2);
  return check_result();
}
