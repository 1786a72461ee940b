// LLVM's affinity masks are made, filled, read and given to a thread, through the names that
// libraries look up.
// test: uses clang
#define _GNU_SOURCE
#include <dlfcn.h>
#include <omp.h>
#include <pthread.h>
#include <sched.h>

#include "check.h"

static cpu_set_t kernel_mask(void) {
  cpu_set_t mask;
  CPU_ZERO(&mask);
  CHECK_EQ(sched_getaffinity(0, sizeof mask, &mask), 0);
  return mask;
}

static int lowest(const cpu_set_t* mask) {
  int cpu = 0;
  while (!CPU_ISSET(cpu, mask)) ++cpu;
  return cpu;
}

static void check_members(kmp_affinity_mask_t* mask, const cpu_set_t* process) {
  for (int cpu = 0; cpu < kmp_get_affinity_max_proc(); ++cpu) {
    int usable = CPU_ISSET(cpu, process) != 0;
    CHECK_EQ(kmp_set_affinity_mask_proc(cpu, mask), usable ? 0 : -2);
    CHECK_EQ(kmp_get_affinity_mask_proc(cpu, mask), usable);
    CHECK_EQ(kmp_unset_affinity_mask_proc(cpu, mask), usable ? 0 : -2);
    CHECK_EQ(kmp_get_affinity_mask_proc(cpu, mask), 0);
  }
  CHECK_EQ(kmp_set_affinity_mask_proc(-1, mask), -1);
  CHECK_EQ(kmp_get_affinity_mask_proc(kmp_get_affinity_max_proc(), mask), -1);
}

static void* unknown_thread(void* initial) {
  cpu_set_t before = kernel_mask();
  CHECK_EQ(((int (*)(void))initial)(), -1);  // OpenMP has not seen this thread
  cpu_set_t after = kernel_mask();
  CHECK(CPU_EQUAL(&before, &after));
  return NULL;
}

int main(void) {
  cpu_set_t process = kernel_mask();
#pragma omp parallel num_threads(1)  // from here on OpenMP knows this thread
  CHECK(omp_get_num_threads() == 1);
  kmp_affinity_mask_t mask;
  kmp_create_affinity_mask(&mask);
  check_members(&mask, &process);
  int cpu = lowest(&process);
  CHECK_EQ(kmp_set_affinity_mask_proc(cpu, &mask), 0);
  CHECK_EQ(kmp_set_affinity(&mask), 0);
  cpu_set_t now = kernel_mask();
  CHECK(CPU_COUNT(&now) == 1 && CPU_ISSET(cpu, &now));

  kmp_affinity_mask_t read;
  kmp_create_affinity_mask(&read);
  CHECK_EQ(kmp_get_affinity(&read), 0);
  for (int i = 0; i < kmp_get_affinity_max_proc(); ++i)
    CHECK_EQ(kmp_get_affinity_mask_proc(i, &read), i == cpu);
  kmp_destroy_affinity_mask(&read);
  kmp_destroy_affinity_mask(&mask);

  int (*initial)(void) = (int (*)(void))dlsym(RTLD_DEFAULT, "kmp_set_thread_affinity_mask_initial");
  CHECK(initial != NULL);
  if (initial) {
    CHECK_EQ(initial(), 0);
    now = kernel_mask();
    CHECK(CPU_EQUAL(&now, &process));
    pthread_t thread;
    CHECK_EQ(pthread_create(&thread, NULL, unknown_thread, (void*)initial), 0);
    pthread_join(thread, NULL);
  }
  return check_result();
}
