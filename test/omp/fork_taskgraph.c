// fork() while other threads meet a taskgraph construct, by the entry point that LLVM's patches
// call: the child finds what is recorded in a state in which it can go on with the same construct.
// test: uses threads=2
// test: peer gcc libgomp has no such entry point
// test: peer clang libomp has no such entry point
// test: unsanitized thread its library lets no child of a process with threads start threads
// test: unsanitized address its allocator is not free in a child if a thread was in it at the fork
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <stdint.h>

#include "check.h"
#include "child.h"

enum { kThreads = 3, kForks = 300 };

static void (*encounter)(void* where, int gtid, void** handle, uintptr_t id, int reset, int nogroup,
                         void (*region)(void*), void* captures);
static void* handle;

static void region(void* count) { ++*(int*)count; }

// With a new number each time: each execution records, and the table grows.
static void execute(int from, int to) {
  int count = 0;
  for (int i = from; i < to; ++i) encounter(NULL, 0, &handle, (uintptr_t)i, 1, 0, region, &count);
  CHECK_EQ(count, to - from);
}
static void execute_few(void) { execute(0, 20); }

static int enough;

static void* execute_on(void* unused) {
  for (int round = 0; !__atomic_load_n(&enough, __ATOMIC_RELAXED); ++round)
    execute(round % 50 * 100, round % 50 * 100 + 100);
  return unused;
}

int main(void) {
  *(void**)&encounter = dlsym(RTLD_DEFAULT, "vicino_kmpc_taskgraph");
  CHECK(encounter != NULL);
  if (encounter == NULL) return check_result();
  int members = 0;
#pragma omp parallel reduction(+ : members)
  ++members;
  CHECK(members > 0);
  pthread_t threads[kThreads];
  for (int i = 0; i < kThreads; ++i)
    CHECK_EQ(pthread_create(&threads[i], NULL, execute_on, NULL), 0);
  execute_few();
  for (int i = 0; i < kForks && check_failures == 0; ++i) run_in_child(execute_few, 10);
  __atomic_store_n(&enough, 1, __ATOMIC_RELAXED);
  for (int i = 0; i < kThreads; ++i) pthread_join(threads[i], NULL);
  return check_result();
}
