// faults.c: faulty tasks of GCC's ABI. One library is built from this file for each fault.
// Preloaded before a correct runtime, these libraries show that the kernels' checks notice the
// faults.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdbool.h>
#include <stddef.h>

typedef void Task(void (*f)(void*), void* data, void (*copy)(void*, void*), long size, long align,
                  bool deferrable, unsigned flags, void** depend, int priority, void* detach);
Task GOMP_task;

#define EVERY 10
static bool chosen(void) {
  static int count;
  return __atomic_add_fetch(&count, 1, __ATOMIC_RELAXED) % EVERY == 0;
}

static Task* good(void) {
  static Task* found;
  if (found == NULL) found = (Task*)dlsym(RTLD_NEXT, "GOMP_task");
  return found;
}

#ifdef some_lost
void GOMP_task(void (*f)(void*), void* data, void (*copy)(void*, void*), long size, long align,
               bool deferrable, unsigned flags, void** depend, int priority, void* detach) {
  if (!chosen()) good()(f, data, copy, size, align, deferrable, flags, depend, priority, detach);
}
#endif

#ifdef some_twice
void GOMP_task(void (*f)(void*), void* data, void (*copy)(void*, void*), long size, long align,
               bool deferrable, unsigned flags, void** depend, int priority, void* detach) {
  if (chosen()) good()(f, data, copy, size, align, false, flags, depend, priority, detach);
  good()(f, data, copy, size, align, deferrable, flags, depend, priority, detach);
}
#endif

#ifdef dependence_missed
void GOMP_task(void (*f)(void*), void* data, void (*copy)(void*, void*), long size, long align,
               bool deferrable, unsigned flags, void** depend, int priority, void* detach) {
  const unsigned depends = 1 << 3;
  (void)depend;
  good()(f, data, copy, size, align, deferrable, flags & ~depends, NULL, priority, detach);
  (void)chosen;
}
#endif

#ifdef wait_missing
void GOMP_taskwait(void);
void GOMP_taskwait(void) { (void)chosen, (void)good; }
#endif
