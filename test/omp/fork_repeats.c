// fork() while other threads generate tasks that repeat, and so look at what is known of the sequence: the child
// finds that in a state in which it can go on with the same tasks.
// test: uses VICINO_TASKGRAPH=site threads=2
// test: peer gcc-12 libgomp-12 hangs in the child, whose team's threads are gone
// test: unsanitized thread its library lets no child of a process with threads start threads
// test: unsanitized address its allocator is not free in a child if a thread was in it at the fork
// test: native qemu-user 7.2 ends the child of a process with threads
#include <omp.h>
#include <pthread.h>

#include "check.h"
#include "child.h"

enum { kGenerators = 3, kForks = 300, kRounds = 20 };

// All threads generate at one place, in turns two sequences.
static void generate(int rounds) {
  int a = 0, b = 0;
#pragma omp parallel num_threads(2)
#pragma omp single
  for (int round = 0; round < rounds; ++round) {
    for (int i = 0; i < 2 + round % 2; ++i) {
#pragma omp task depend(inout : a) shared(a)
      ++a;
#pragma omp task depend(in : a) depend(inout : b) shared(a, b)
      b += a > 0;
    }
#pragma omp taskwait
  }
  CHECK_EQ(a, rounds / 2 * 5);
  CHECK_EQ(b, a);
}

static void generate_rounds(void) { generate(kRounds); }

static int enough;

static void* generate_on(void* unused) {
  while (!__atomic_load_n(&enough, __ATOMIC_RELAXED)) generate(200);
  return unused;
}

int main(void) {
  pthread_t threads[kGenerators];
  for (int i = 0; i < kGenerators; ++i)
    CHECK_EQ(pthread_create(&threads[i], NULL, generate_on, NULL), 0);
  generate_rounds();
  for (int i = 0; i < kForks && check_failures == 0; ++i) run_in_child(generate_rounds, 10);
  __atomic_store_n(&enough, 1, __ATOMIC_RELAXED);
  for (int i = 0; i < kGenerators; ++i) pthread_join(threads[i], NULL);
  return check_result();
}
