// In a guest with several nodes: the team is as large as the machine, pages lie where their thread runs, a second loop
// finds them there, and tasks and taskloops have the right answers.
//
//     guest CPUS NODES
#define _GNU_SOURCE
#include <omp.h>
#include <sched.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "../omp/check.h"

enum { kPages = 2048, kTasks = 2000 };

static long page;

static int node_of_page(void* address) {
  int status = -1;
  CHECK_EQ(syscall(SYS_move_pages, 0, 1ul, &address, NULL, &status, 0), 0);
  return status;
}

static int node_here(void) {
  unsigned cpu = 0, node = 0;
  getcpu(&cpu, &node);
  return (int)node;
}

// The share, in percent, of the pages that lie on the node of the thread that comes to them in the second loop.
static int percent_near(int nodes) {
  char* const memory = mmap(NULL, (size_t)(kPages * page), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  CHECK(memory != MAP_FAILED);
  int near = 0, seen[64] = {0};
#pragma omp parallel for schedule(static)
  for (long i = 0; i < kPages; ++i) memory[i * page] = 1;
#pragma omp parallel for schedule(static) reduction(+ : near)
  for (long i = 0; i < kPages; ++i) near += node_of_page(memory + i * page) == node_here();
  for (long i = 0; i < kPages; ++i) {
    const int node = node_of_page(memory + i * page);
    CHECK(node >= 0 && node < nodes);
    ++seen[node & 63];
  }
  for (int i = 0; i < nodes; ++i) CHECK(seen[i] > kPages / nodes / 2);
  munmap(memory, (size_t)(kPages * page));
  return near * 100 / kPages;
}

static long fibonacci(int n) {
  if (n < 2) return n;
  long a, b;
#pragma omp task shared(a)
  a = fibonacci(n - 1);
#pragma omp task shared(b)
  b = fibonacci(n - 2);
#pragma omp taskwait
  return a + b;
}

int main(int count, char** arguments) {
  CHECK_EQ(count, 3);
  const int cpus = atoi(arguments[1]), nodes = atoi(arguments[2]);
  page = sysconf(_SC_PAGESIZE);
  int threads = 0;
#pragma omp parallel reduction(+ : threads)
  ++threads;
  CHECK_EQ(omp_get_num_procs(), cpus);
  CHECK_EQ(threads, cpus);

  const int near = percent_near(nodes);
  printf("%d threads, %d%% of the pages are near\n", threads, near);
  CHECK(near >= 95);

  long answer = 0, sum = 0;
  int runs[kTasks] = {0};
#pragma omp parallel
#pragma omp single
  {
    answer = fibonacci(15);
#pragma omp taskloop grainsize(7) reduction(+ : sum)
    for (long i = 0; i < kTasks; ++i) {
      ++runs[i];
      sum += i;
    }
#pragma omp taskloop
    for (long i = 0; i < kTasks; ++i) ++runs[i];
    for (int i = 0; i < 200; ++i) {
#pragma omp task depend(inout : answer)
      answer += 1;
    }
  }
  CHECK_EQ(answer, 610 + 200);
  CHECK_EQ(sum, (long)kTasks * (kTasks - 1) / 2);
  for (int i = 0; i < kTasks; ++i) CHECK_EQ(runs[i], 2);
  return check_result();
}
