// test: skip gcc libgomp has no such entry points
// test: uses threads=1,2
// Where a task's shareds lie: directly behind the task, at the next multiple of eight bytes. The functions by which
// flang 21 and newer copy the tasks of a taskloop count on that and do not follow the pointer.
#include <omp.h>
#include <stdint.h>

#include "check.h"

typedef struct Task Task;
typedef int Routine(int gtid, Task* task);
struct Task {
  char* shareds;
  Routine* routine;
  int part_id;
  void *data1, *data2;
};

int __kmpc_global_thread_num(void* where);
Task* __kmpc_omp_task_alloc(void* where, int gtid, int flags, size_t bytes, size_t shareds,
                            Routine* routine);
int __kmpc_omp_task(void* where, int gtid, Task* task);

enum { kTied = 1, kFinal = 2 };

static int ran;

static int body(int gtid, Task* task) {
  (void)gtid;
  __atomic_fetch_add(&ran, *task->shareds, __ATOMIC_RELAXED);
  return 0;
}

static void check_size(int gtid, int flags, size_t bytes, size_t shareds) {
  Task* const task = __kmpc_omp_task_alloc(NULL, gtid, flags, bytes, shareds, body);
  CHECK_EQ(task->shareds - (char*)task, (bytes + 7) / 8 * 8);
  CHECK_EQ((uintptr_t)task % 8, 0);
  memset(task->shareds, 1, shareds);
  __kmpc_omp_task(NULL, gtid, task);
}

int main(void) {
#pragma omp parallel
#pragma omp single
  {
    const int gtid = __kmpc_global_thread_num(NULL);
    for (size_t bytes = sizeof(Task); bytes < 80; ++bytes)
      for (size_t shareds = 1; shareds < 3000; shareds *= 7)
        for (int flags = kTied; flags <= (kTied | kFinal); flags += kFinal)
          check_size(gtid, flags, bytes, shareds);
  }
  CHECK_EQ(ran, 40 * 5 * 2);
  return check_result();
}
