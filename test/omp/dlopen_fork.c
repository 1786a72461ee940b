// A program without OpenMP loads a library with regions and forks while another thread runs the first one: the child
// can use it, too, and so can a child of that child. Reading a recorded machine loads one library more. It does not
// fork while another thread is in its own dlopen(): the C library's loader would be half done in the child.
// test: library parts/plugin.c
// test: uses threads=4
// test: variant recorded machine=epyc-9354-2x32-nps4
// test: variant places machine=plain-2x4 OMP_PLACES=cores OMP_PROC_BIND=close
// test: peer gcc-12 libgomp-12 hangs in the child, whose team's threads are gone
// test: peer clang-19 libomp-19 hangs in some children that are made while another thread begins
// test: unsanitized thread its library lets no child of a process with threads start threads
// test: unsanitized address its allocator is not free in a child if a thread was in it at the fork
// test: native qemu-user 7.2 ends the child of a process with threads
#include <dlfcn.h>
#include <pthread.h>
#include <time.h>
#include <unistd.h>

#include "check.h"
#include "child.h"

typedef int (*Sum)(int);

static const char* path;
static Sum loaded;

static void load(void) {
  void* const library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    fprintf(stderr, "%s\n", dlerror());
    _exit(1);
  }
  *(void**)&loaded = dlsym(library, "plugin_sum");
}
static void use(void) {
  CHECK_EQ(loaded(1000), 499500);
  CHECK_EQ(loaded(10), 45);
}
static void load_and_use(void) {
  load();
  use();
}

static void* call(void* function) {
  (*(void (**)(void))function)();
  return NULL;
}

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

// Runs the function in a child, which must end in time.
static void in_child(void (*function)(void)) { run_in_child(function, 10); }

static void twice_forked(void) {
  use();
  in_child(use);
}

// One thread runs the library's first region; after `delay` seconds the other one forks.
static double delay;
static void fork_beside_first_call(void) {
  load();
  void (*const function)(void) = use;
  pthread_t thread;
  const double end = now() + delay;
  CHECK_EQ(pthread_create(&thread, NULL, call, (void*)&function), 0);
  while (now() < end) {
  }
  in_child(use);
  CHECK_EQ(pthread_join(thread, NULL), 0);
  in_child(twice_forked);
}

int main(int argc, char** argv) {
  if (argc < 2) return 2;
  path = argv[1];
  enum { kTrials = 30 };
  const double start = now();
  in_child(load_and_use);
  const double all = now() - start;
  for (int trial = 0; trial < kTrials && check_result() == 0; ++trial) {
    delay = all * trial / kTrials;
    in_child(fork_beside_first_call);
  }
  load_and_use();
  in_child(twice_forked);
  in_child(load_and_use);
  return check_result();
}
