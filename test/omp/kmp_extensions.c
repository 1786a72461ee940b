// LLVM's own routines: memory, library kind, stack size, blocktime, defaults, and the state of a
// cancellation.
// test: skip gcc libgomp has no such routines
// test: uses OMP_CANCELLATION=true
// test: peer clang-19 libomp 19 ends the program for a kind of library that it does not know
#define _GNU_SOURCE
#include <omp.h>
#include <pthread.h>
#include <stdint.h>

#include "check.h"

int kmp_get_cancellation_status(int kind);
int kmp_get_num_known_threads(void);
int __kmpc_get_target_offload(void);

enum { kInvalid = -4 };  // omp_invalid_device, which the header lacks

static void check_memory(void) {
#pragma omp parallel
  {
    unsigned char* block = kmp_malloc(1000);
    memset(block, 5, 1000);
    block = kmp_realloc(block, 5000);
    unsigned char* zeros = kmp_calloc(100, 10);
    unsigned char* aligned = kmp_aligned_malloc(300, 512);
    CHECK((uintptr_t)aligned % 512 == 0);
    for (int i = 0; i < 1000; ++i) CHECK(block[i] == 5 && zeros[i] == 0);
    kmp_free(block);
    kmp_free(zeros);
    kmp_free(aligned);
  }
}

static void check_library(void) {
  kmp_set_library_turnaround();
  CHECK_EQ(kmp_get_library(), 2);
  kmp_set_library(3);
  CHECK_EQ(kmp_get_library(), 3);
  kmp_set_disp_num_buffers(4);
  kmp_set_blocktime(17);
  CHECK_EQ(kmp_get_blocktime(), 17);
  kmp_set_warnings_off();
  kmp_set_library(9);
  kmp_set_warnings_on();
  CHECK_EQ(kmp_get_library(), 3);
  kmp_set_library_serial();
  CHECK_EQ(kmp_get_library(), 1);
  int size = 0;
#pragma omp parallel
#pragma omp single
  size = omp_get_num_threads();
  CHECK_EQ(size, 1);
  kmp_set_library_throughput();
#pragma omp parallel
#pragma omp single
  size = omp_get_num_threads();
  CHECK_EQ(size, omp_get_max_threads());
  CHECK(kmp_get_num_known_threads() >= size);
}

static size_t stack_here(void) {
  pthread_attr_t attributes;
  size_t size = 0;
  pthread_getattr_np(pthread_self(), &attributes);
  pthread_attr_getstacksize(&attributes, &size);
  pthread_attr_destroy(&attributes);
  return size;
}

// No thread has been started yet.
static void check_stack(void) {
  kmp_set_stacksize_s(3 << 20);
  CHECK_EQ(kmp_get_stacksize_s(), 3 << 20);
  CHECK_EQ(kmp_get_stacksize(), 3 << 20);
#pragma omp parallel
  if (omp_get_thread_num() != 0) CHECK(stack_here() >= 3 << 20 && stack_here() < 4 << 20);
}

static void check_defaults(void) {
  const int threads = omp_get_max_threads();
  kmp_set_defaults("OMP_NUM_THREADS=3|OMP_SCHEDULE=guided,7 | OMP_DYNAMIC=true");
  omp_sched_t kind;
  int chunk;
  omp_get_schedule(&kind, &chunk);
  CHECK_EQ(omp_get_max_threads(), 3);
  CHECK_EQ(kind & 0xFF, omp_sched_guided);
  CHECK_EQ(chunk, 7);
  CHECK(omp_get_dynamic());
  omp_set_dynamic(0);
  omp_set_num_threads(threads);
  CHECK_EQ(__kmpc_get_target_offload(), 1);
  kmp_set_defaults("OMP_TARGET_OFFLOAD=Mandatory");
  CHECK_EQ(__kmpc_get_target_offload(), 2);
  CHECK_EQ(omp_get_default_device(), kInvalid);
  kmp_set_defaults("OMP_TARGET_OFFLOAD=disabled");
  CHECK_EQ(__kmpc_get_target_offload(), 0);
  CHECK_EQ(omp_get_default_device(), 0);
  kmp_set_defaults("OMP_TARGET_OFFLOAD=default");
  CHECK_EQ(__kmpc_get_target_offload(), 1);
  CHECK_EQ(omp_get_default_device(), 0);
}

static void check_cancellation(void) {
  CHECK_EQ(kmp_get_cancellation_status(1), 0);
  int seen = 0;
#pragma omp parallel num_threads(2) reduction(+ : seen)
  {
    if (kmp_get_cancellation_status(1) != 0) seen += 100;
#pragma omp barrier
    if (omp_get_thread_num() == 0) {
#pragma omp cancel parallel
    }
    while (kmp_get_cancellation_status(1) == 0) {
    }
    ++seen;
#pragma omp cancellation point parallel
    seen += 1000;
  }
  CHECK(seen < 100);
}

int main(void) {
  check_stack();
  check_memory();
  check_library();
  check_defaults();
  check_cancellation();
  return check_result();
}
