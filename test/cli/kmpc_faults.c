// kmpc_faults.c: faulty entry points of LLVM's ABI, as test/omp/faults/faults.c has them of GCC's. Each library
// built from this file has one fault and is preloaded before a good runtime.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stddef.h>
#include <string.h>

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

#ifdef barrier_open
void __kmpc_barrier(void* site, int thread);
void __kmpc_barrier(void* site, int thread) { (void)site, (void)thread; }
#endif

#ifdef critical_open
void __kmpc_critical(void* site, int thread, void* lock);
void __kmpc_end_critical(void* site, int thread, void* lock);
void __kmpc_critical(void* site, int thread, void* lock) { (void)site, (void)thread, (void)lock; }
void __kmpc_end_critical(void* site, int thread, void* lock) { (void)site, (void)thread, (void)lock; }
#endif

#ifdef single_by_all
int __kmpc_single(void* site, int thread);
void __kmpc_end_single(void* site, int thread);
int __kmpc_single(void* site, int thread) { return (void)site, (void)thread, 1; }
void __kmpc_end_single(void* site, int thread) { (void)site, (void)thread; }
#endif

#ifdef chunk_lost
int __kmpc_dispatch_next_8u(void* site, int thread, int* last, void* lower, void* upper, void* stride);
int __kmpc_dispatch_next_8u(void* site, int thread, int* last, void* lower, void* upper, void* stride) {
  static int lost;
  const int more = REAL(__kmpc_dispatch_next_8u)(site, thread, last, lower, upper, stride);
  if (!more || __atomic_exchange_n(&lost, 1, __ATOMIC_RELAXED)) return more;
  return REAL(__kmpc_dispatch_next_8u)(site, thread, last, lower, upper, stride);
}
#endif

#ifdef task_lost
int __kmpc_omp_task(void* site, int thread, void* task);
int __kmpc_omp_task(void* site, int thread, void* task) {
  static int made;
  if (__atomic_add_fetch(&made, 1, __ATOMIC_RELAXED) == 30) return 0;
  return REAL(__kmpc_omp_task)(site, thread, task);
}
#endif

#ifdef taskloop_lost
void __kmpc_taskloop(void* site, int thread, void* task, int run, void* lower, void* upper, long stride,
                     int nogroup, int how, unsigned long amount, void* copy);
void __kmpc_taskloop(void* site, int thread, void* task, int run, void* lower, void* upper, long stride,
                     int nogroup, int how, unsigned long amount, void* copy) {
  (void)site, (void)thread, (void)task, (void)run, (void)lower, (void)upper, (void)stride;
  (void)nogroup, (void)how, (void)amount, (void)copy;
}
#endif

#ifdef dependences_lost
int __kmpc_omp_task(void* site, int thread, void* task);
int __kmpc_omp_task_with_deps(void* site, int thread, void* task, int count, void* list, int more, void* others);
int __kmpc_omp_task_with_deps(void* site, int thread, void* task, int count, void* list, int more, void* others) {
  (void)count, (void)list, (void)more, (void)others;
  return REAL(__kmpc_omp_task)(site, thread, task);
}
#endif

#ifdef cancel_refused
int __kmpc_cancel(void* site, int thread, int what);
int __kmpc_cancel(void* site, int thread, int what) { return (void)site, (void)thread, (void)what, 0; }
#endif

#ifdef threadprivate_shared
void* __kmpc_threadprivate_cached(void* site, int thread, void* data, size_t size, void*** cache);
void* __kmpc_threadprivate_cached(void* site, int thread, void* data, size_t size, void*** cache) {
  return (void)site, (void)thread, (void)size, (void)cache, data;
}
#endif

#ifdef lock_open
void omp_set_lock(void* lock);
void omp_unset_lock(void* lock);
void omp_set_lock(void* lock) { (void)lock; }
void omp_unset_lock(void* lock) { (void)lock; }
#endif

#ifdef block_unaligned
void* omp_alloc(size_t size, size_t allocator);
void* omp_alloc(size_t size, size_t allocator) {
  return (char*)REAL(omp_alloc)(size + 8, allocator) + 8;
}
#endif
