// Prints what the settings of the environment have become: the schedule, the sizes of an outer and an inner team, the
// levels, whether teams are dynamic, the binding, the places, and the stack of a started thread in MiB.
#define _GNU_SOURCE
#include <omp.h>
#include <pthread.h>
#include <stdio.h>

static unsigned long stack_mib(void) {
  pthread_attr_t attributes;
  size_t size = 0;
  if (pthread_getattr_np(pthread_self(), &attributes) == 0) {
    pthread_attr_getstacksize(&attributes, &size);
    pthread_attr_destroy(&attributes);
  }
  return size >> 20;
}

int main(void) {
  omp_sched_t kind;
  int chunk, outer = 0, inner = 0;
  unsigned long stack = 0;
  omp_get_schedule(&kind, &chunk);
#pragma omp parallel
  {
    if (omp_get_thread_num() == 1) stack = stack_mib();
#pragma omp masked
    {
      outer = omp_get_num_threads();
#pragma omp parallel
#pragma omp masked
      inner = omp_get_num_threads();
    }
  }
  printf("schedule=%d,%d team=%d inner=%d levels=%d dynamic=%d bind=%d places=%d stack=%lu\n",
         (int)(kind & 15), chunk, outer, inner, omp_get_max_active_levels(), omp_get_dynamic(),
         (int)omp_get_proc_bind(), omp_get_num_places(), stack);
  return 0;
}
