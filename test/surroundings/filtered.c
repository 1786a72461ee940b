// Uses what asks the system for something beyond memory and threads: places, waiting, stolen and nested tasks,
// loops that choose for themselves, placed memory, threads and processes of its own. Prints the sizes of three teams, the second of the default size.
#include <omp.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../omp/check.h"

static int region(int threads) {
  int size = 0;
#pragma omp parallel num_threads(threads)
  {
#pragma omp critical
    ++size;
    const int place = omp_get_place_num();
    CHECK(place >= -1 && place < omp_get_num_places());
#pragma omp barrier
  }
  return size;
}

static void loops(void) {
  enum { kIterations = 5000 };
  for (int round = 0; round < 60; ++round) {
    long sum = 0;
#pragma omp parallel for schedule(runtime) reduction(+ : sum)
    for (int i = 0; i < kIterations; ++i) sum += i;
    CHECK_EQ(sum, (long)kIterations * (kIterations - 1) / 2);
  }
}

static long fibonacci(int n) {
  if (n < 2) return n;
  long a, b;
#pragma omp task shared(a)
  a = fibonacci(n - 1);
  b = fibonacci(n - 2);
#pragma omp taskwait
  return a + b;
}

// Each task makes the next one and ends. If they were all calls, they would need more than the stack.
static int links;
static void chain(int left) {
  volatile char room[200];
  room[0] = 0;
#pragma omp atomic
  ++links;
  if (left > 0) {
#pragma omp task firstprivate(left)
    chain(left - 1);
  }
  (void)room[0];
}

static void tasks(void) {
  enum { kLinks = 100000 };
  long answer = 0;
  links = 0;
#pragma omp parallel num_threads(3)
#pragma omp single
  {
    answer = fibonacci(18);
    chain(kLinks);
  }
  CHECK_EQ(answer, 2584);
  CHECK_EQ(links, kLinks + 1);
}

static void memory(void) {
  const omp_alloctrait_t traits[] = {{omp_atk_partition, omp_atv_interleaved},
                                     {omp_atk_alignment, 4096}};
  omp_allocator_handle_t allocator = omp_init_allocator(omp_default_mem_space, 2, traits);
  char* const block = omp_alloc(1 << 20, allocator);
  CHECK(block != NULL);
  for (int i = 0; block != NULL && i < 1 << 20; i += 512) block[i] = 1;
  omp_free(block, allocator);
  omp_destroy_allocator(allocator);
}

static void* thread(void* unused) {
  CHECK_EQ(region(2), 2);
  return unused;
}

static void own_thread(void) {
  pthread_t started;
  CHECK_EQ(pthread_create(&started, NULL, thread, NULL), 0);
  CHECK_EQ(pthread_join(started, NULL), 0);
}

static void own_process(void) {
  const pid_t child = fork();
  if (child == 0) {
    check_failures = 0;
    CHECK_EQ(region(3), 3);
    own_thread();
    _exit(check_result());
  }
  int status = -1;
  CHECK_EQ(waitpid(child, &status, 0), child);
  CHECK_EQ(status, 0);
  CHECK_EQ(system("true"), 0);
}

int main(void) {
  CHECK(omp_get_num_procs() >= 1);
  const int first = region(3);
  loops();
  tasks();
  memory();
  own_thread();
  own_process();
  printf("%d %d %d\n", first, region(omp_get_max_threads()), region(5));
  return check_result();
}
