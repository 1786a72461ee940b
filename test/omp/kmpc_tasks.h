// kmpc_tasks.h: LLVM's entry points for tasks, for programs that call them themselves. They are found at run time:
// gcc's programs, which ThreadSanitizer checks, are linked with a runtime that has none.
#ifndef KMPC_TASKS_H
#define KMPC_TASKS_H
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <dlfcn.h>
#include <stddef.h>
#include <stdint.h>

#include "check.h"

// A program's task begins with this.
typedef struct Task Task;
typedef int Routine(int gtid, Task* task);
struct Task {
  void* shareds;
  Routine* routine;
  int part;
  Routine* destroy;
  int priority;
};
typedef struct {
  const void* address;
  size_t bytes;
  uint8_t kind;
} Dependence;
enum {
  kTied = 1,
  kFinal = 2,
  kDestructors = 8,
  kProxy = 0x10,
  kForPool = 0x80,
  kTransparent = 0x100
};
enum { kIn = 1, kInout = 3, kMutex = 4, kSet = 8 };

static struct {
  int (*global_thread_num)(void* where);
  Task* (*task_alloc)(void* where, int gtid, int flags, size_t bytes, size_t shareds,
                      Routine* routine);
  int (*task)(void* where, int gtid, Task* task);
  int (*task_with_deps)(void* where, int gtid, Task* task, int count, Dependence* list,
                        int more_count, Dependence* more);
  void (*wait_deps)(void* where, int gtid, int count, Dependence* list, int more_count,
                    Dependence* more);
  void (*task_begin_if0)(void* where, int gtid, Task* task);
  void (*task_complete_if0)(void* where, int gtid, Task* task);
  int (*taskwait)(void* where, int gtid);
} kmpc;

static int find_entry(void* pointer, const char* name) {
  void* const found = dlsym(RTLD_DEFAULT, name);
  memcpy(pointer, &found, sizeof found);
  CHECK(found != NULL);
  return found != NULL;
}

// Whether the runtime has them.
static int find_kmpc(void) {
  return find_entry(&kmpc.global_thread_num, "__kmpc_global_thread_num") &&
         find_entry(&kmpc.task_alloc, "__kmpc_omp_task_alloc") &&
         find_entry(&kmpc.task, "__kmpc_omp_task") &&
         find_entry(&kmpc.task_with_deps, "__kmpc_omp_task_with_deps") &&
         find_entry(&kmpc.wait_deps, "__kmpc_omp_wait_deps") &&
         find_entry(&kmpc.task_begin_if0, "__kmpc_omp_task_begin_if0") &&
         find_entry(&kmpc.task_complete_if0, "__kmpc_omp_task_complete_if0") &&
         find_entry(&kmpc.taskwait, "__kmpc_omp_taskwait");
}

#endif
