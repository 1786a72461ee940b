// The library of mixed.c.
#include <omp.h>

#include "mixed.h"

int part_is_in(int level, int number) {
  return omp_in_parallel() && omp_get_level() == level && omp_get_thread_num() == number;
}

int part_members(int threads) {
  int members = 0;
#pragma omp parallel num_threads(threads) reduction(+ : members)
  ++members;
  return members;
}

void part_add_by_task(int* runs) {
#pragma omp task
#pragma omp atomic
  ++*runs;
}

void part_count(void* lock, int* inside) {
  omp_set_lock(lock);
  ++*inside;
  omp_unset_lock(lock);
}

void part_set_num_threads(int threads) { omp_set_num_threads(threads); }
