// fork() while another thread is in a critical region, or waits for one: what that thread held is free in the
// child, and what the forking thread holds stays held until it ends it there.
// test: uses threads=2,4
// test: peer gcc-12 libgomp-12 hangs in the child
// test: peer clang-19 libomp-19 hangs in the child
// test: unsanitized thread its library lets no child of a process with threads start threads
// test: unsanitized address its allocator is not free in a child if a thread was in it at the fork
// test: native qemu-user 7.2 ends the child of a process with threads
#include <omp.h>
#include <pthread.h>
#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"
#include "child.h"

static int unnamed, named, other, entered, leave;
#ifdef __clang__
typedef double Wide;
#else
typedef long double Wide;  // gcc's code takes the lock of all atomic constructs
#endif
static Wide large;

static void use_unnamed(void) {
#pragma omp critical
  ++unnamed;
}
static void use_named(void) {
#pragma omp critical(one)
  ++named;
}
static void use_other(void) {
#pragma omp critical(another)
  ++other;
}

static int get(int* flag) {
  int value;
#pragma omp atomic read
  value = *flag;
  return value;
}
static void set(int* flag, int value) {
#pragma omp atomic write
  *flag = value;
}
static void await(int* flag) {
  while (get(flag) == 0) sched_yield();
}

static void hold(void) {
  set(&entered, 1);
  await(&leave);
}

// All constructs that have a lock, in a child whose threads are its own.
static void use_all(void) {
  unnamed = named = other = 0;
  large = 0;
  Wide sum = 0;
#pragma omp declare reduction(add:Wide : omp_out += omp_in)
  Wide user = 0;
#pragma omp parallel num_threads(3) reduction(add : user)
  {
    for (int i = 0; i < 50; ++i) {
      use_unnamed();
      use_named();
      use_other();
#pragma omp critical
      sum += 1;
#pragma omp atomic
      large += 1;
    }
    user += 1;
  }
  CHECK_EQ(unnamed, 150);
  CHECK_EQ(named, 150);
  CHECK_EQ(other, 150);
  CHECK(sum == 150 && large == 150 && user == 3);
}

static void run_child(void (*in_child)(void)) { run_in_child(in_child, 20); }

static void fork_again(void) {
  use_all();
  run_child(use_all);
}

// One thread is in both regions while the other forks, as the caller wants it.
static void while_held(void (*act)(void)) {
  entered = leave = 0;
#pragma omp parallel num_threads(omp_get_max_threads())
  {
    const int thread = omp_get_thread_num();
    if (thread == 1) {
#pragma omp critical
#pragma omp critical(one)
      hold();
    } else if (thread == 0) {
      await(&entered);
      act();
      set(&leave, 1);
    } else {  // these wait meanwhile, and sleep in the end
      await(&entered);
      use_unnamed();
    }
  }
  use_all();
}

static void fork_outside(void) { run_child(fork_again); }

static int let_thread_in;
static void* enter_other(void* unused) {
  use_other();
  set(&let_thread_in, 1);
  return unused;
}

// In the child: the caller is in `another` since before the fork; a new thread waits until it has left.
static pthread_t new_thread;
static void begin_inside(void) {
  use_unnamed();
  use_named();
  let_thread_in = 0;
  CHECK_EQ(pthread_create(&new_thread, NULL, enter_other, NULL), 0);
  usleep(50000);
  CHECK_EQ(get(&let_thread_in), 0);
}

static void fork_inside(void) {
  pid_t child;
#pragma omp critical(another)
  {
    child = fork();
    if (child == 0) {
      check_failures = 0;
      alarm(20);
      begin_inside();
    }
  }
  if (child == 0) {
    CHECK_EQ(pthread_join(new_thread, NULL), 0);
    CHECK_EQ(let_thread_in, 1);
    use_all();
    run_child(use_all);
    _exit(check_result());
  }
  int status = -1;
  CHECK_EQ(waitpid(child, &status, 0), child);
  CHECK_EQ(status, 0);
}

int main(void) {
  while_held(fork_outside);
  while_held(fork_inside);
  while_held(fork_outside);
  return check_result();
}
