// faults.c: faulty entry points of GCC's ABI. Each library built from this file has one fault and
// is preloaded before a good runtime, to show that the programs notice the fault.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdbool.h>
#include <stddef.h>

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

#ifdef parallel_lost  // no thread runs the region
void GOMP_parallel(void (*f)(void*), void* data, unsigned threads, unsigned flags);
void GOMP_parallel(void (*f)(void*), void* data, unsigned threads, unsigned flags) {
  (void)f, (void)data, (void)threads, (void)flags;
}
#endif

#ifdef thread_twice  // the primary thread runs the region a second time
void GOMP_parallel(void (*f)(void*), void* data, unsigned threads, unsigned flags);
void GOMP_parallel(void (*f)(void*), void* data, unsigned threads, unsigned flags) {
  REAL(GOMP_parallel)(f, data, threads, flags);
  f(data);
}
#endif

#ifdef barrier_open
void GOMP_barrier(void);
void GOMP_barrier(void) {}
#endif

#ifdef critical_open
void GOMP_critical_start(void);
void GOMP_critical_end(void);
void GOMP_critical_name_start(void** name);
void GOMP_critical_name_end(void** name);
void GOMP_critical_start(void) {}
void GOMP_critical_end(void) {}
void GOMP_critical_name_start(void** name) { (void)name; }
void GOMP_critical_name_end(void** name) { (void)name; }
#endif

#ifdef atomic_open
void GOMP_atomic_start(void);
void GOMP_atomic_end(void);
void GOMP_atomic_start(void) {}
void GOMP_atomic_end(void) {}
#endif

#ifdef ordered_open
void GOMP_ordered_start(void);
void GOMP_ordered_end(void);
void GOMP_ordered_start(void) {}
void GOMP_ordered_end(void) {}
#endif

#ifdef lock_open
void omp_set_lock(void* lock);
void omp_unset_lock(void* lock);
void omp_set_lock_(void* lock);
void omp_unset_lock_(void* lock);
void omp_set_lock(void* lock) { (void)lock; }
void omp_unset_lock(void* lock) { (void)lock; }
void omp_set_lock_(void* lock) { (void)lock; }
void omp_unset_lock_(void* lock) { (void)lock; }
#endif

#ifdef single_by_all
bool GOMP_single_start(void);
bool GOMP_single_start(void) { return true; }
#endif

#ifdef copy_missing  // every thread takes itself for the one that runs the single
void* GOMP_single_copy_start(void);
void GOMP_single_copy_end(void* data);
void* GOMP_single_copy_start(void) { return NULL; }
void GOMP_single_copy_end(void* data) { (void)data; }
#endif

#ifdef section_skipped
unsigned GOMP_sections_next(void);
unsigned GOMP_sections_next(void) {
  REAL(GOMP_sections_next)();
  return REAL(GOMP_sections_next)();
}
#endif

#ifdef chunk_lost  // each thread loses its second chunk of a loop, and every second one after it
#define NEXT(name, type)             \
  bool name(type* start, type* end); \
  bool name(type* start, type* end) { return REAL(name)(start, end) && REAL(name)(start, end); }
NEXT(GOMP_loop_nonmonotonic_dynamic_next, long)
NEXT(GOMP_loop_nonmonotonic_guided_next, long)
NEXT(GOMP_loop_maybe_nonmonotonic_runtime_next, long)
NEXT(GOMP_loop_runtime_next, long)
NEXT(GOMP_loop_dynamic_next, long)
NEXT(GOMP_loop_ordered_dynamic_next, long)
NEXT(GOMP_loop_ordered_static_next, long)
NEXT(GOMP_loop_ull_nonmonotonic_dynamic_next, unsigned long long)
NEXT(GOMP_loop_ull_nonmonotonic_guided_next, unsigned long long)
#endif

#ifdef number_same
int omp_get_thread_num(void);
int omp_get_thread_num(void) { return 0; }
int omp_get_thread_num_(void);
int omp_get_thread_num_(void) { return 0; }
#endif

#ifdef queries_constant
int omp_get_level(void);
int omp_get_max_threads(void);
int omp_get_thread_limit(void);
int omp_get_cancellation(void);
int omp_get_num_devices(void);
int omp_get_place_num(void);
int omp_get_max_threads_(void);
int omp_get_max_threads_8_(void);
double omp_get_wtime(void);
void omp_get_schedule(int* kind, int* chunk);
int omp_get_level(void) { return 9; }
int omp_get_max_threads(void) { return 6; }
int omp_get_max_threads_(void) { return 6; }
int omp_get_thread_limit(void) { return 5; }
int omp_get_cancellation(void) { return 2; }
int omp_get_num_devices(void) { return 1; }
int omp_get_place_num(void) { return 99; }
double omp_get_wtime(void) { return 1; }
void omp_get_schedule(int* kind, int* chunk) { *kind = *chunk = 77; }
#endif

#ifdef task_lost
void GOMP_task(void (*f)(void*), void* data, void* copy, long size, long align, bool now,
               unsigned flags, void** depend, int priority, void* detach);
void GOMP_task(void (*f)(void*), void* data, void* copy, long size, long align, bool now,
               unsigned flags, void** depend, int priority, void* detach) {
  (void)f, (void)data, (void)copy, (void)size, (void)align, (void)now;
  (void)flags, (void)depend, (void)priority, (void)detach;
}
void GOMP_taskloop(void);
void GOMP_taskloop(void) {}
void GOMP_taskloop_ull(void);
void GOMP_taskloop_ull(void) {}
#endif
