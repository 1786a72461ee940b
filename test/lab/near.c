// near.c: threads that stay near their data where nobody has said how they are bound, and what they
// do when somebody says something after all. near_test.py has what the lines must be.
//
//   near children        what threads and processes that bound threads start may run on
//   near inner           the same of the threads of regions inside a region
//   near changes         the program binds its initial thread to other CPUs, then all its threads
//   near cpuset CPUS     the control group of confine.c gets other CPUs
//   near crowd CPUS      other processes want CPUS for a while
//   near refused         the system refuses threads for a while
//   near mask            prints the mask of this process
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <omp.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "cpus.h"

enum { kMostThreads = 256 };

static char self[4096];
static cpu_set_t masks[kMostThreads];

static int left = INT_MAX;  // how many more threads the system gives

// In place of the C library's.
int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*run)(void*),
                   void* argument) {
  typedef int Create(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*);
  if (left == 0) return EAGAIN;
  if (left != INT_MAX) --left;
  Create* const real = (Create*)dlsym(RTLD_NEXT, "pthread_create");
  return real(thread, attributes, run, argument);
}

static void print(const cpu_set_t* set) {
  print_cpus(set);
  printf("\n");
  fflush(stdout);
}

static void print_own(void) {
  cpu_set_t mask;
  sched_getaffinity(0, sizeof mask, &mask);
  print(&mask);
}

static int look_at_masks(void) {
  int size = 0;
#pragma omp parallel
  {
    sched_getaffinity(0, sizeof masks[0], &masks[omp_get_thread_num()]);
#pragma omp single
    size = omp_get_num_threads();
  }
  return size;
}

static void print_masks(const char* when) {
  const int size = look_at_masks();
  for (int i = 0; i < size; ++i) {
    printf("%s %d ", when, i);
    print(&masks[i]);
  }
}

// The program's own pause, so that Vicino looks at the mask again.
static void pause_ms(long ms) {
  const struct timespec time = {ms / 1000, ms % 1000 * 1000000};
  nanosleep(&time, NULL);
}

static void* print_in_thread(void* unused) {
  print_own();
  return unused;
}

static void print_in_child(pid_t child) {
  if (child == 0) {
    print_own();
    fflush(stdout);
    _exit(0);
  }
  waitpid(child, NULL, 0);
}

static void start_all(int thread) {
  char* const words[] = {self, "mask", NULL};
  char command[sizeof self + 8];
  snprintf(command, sizeof command, "%s mask", self);
  pthread_t other;
  pid_t child;
  char line[4096];

  printf("pthread_create %d ", thread), fflush(stdout);
  pthread_create(&other, NULL, print_in_thread, NULL);
  pthread_join(other, NULL);

  printf("fork %d ", thread), fflush(stdout);
  print_in_child(fork());

  printf("vfork %d ", thread), fflush(stdout);
  child = vfork();
  if (child == 0) {
    execv(self, words);
    _exit(1);
  }
  waitpid(child, NULL, 0);

  printf("posix_spawn %d ", thread), fflush(stdout);
  posix_spawn(&child, self, NULL, NULL, words, environ);
  waitpid(child, NULL, 0);

  printf("posix_spawnp %d ", thread), fflush(stdout);
  posix_spawnp(&child, self, NULL, NULL, words, environ);
  waitpid(child, NULL, 0);

  printf("system %d ", thread), fflush(stdout);
  if (system(command) != 0) printf("failed\n");

  printf("popen %d ", thread), fflush(stdout);
  FILE* pipe = popen(command, "r");
  printf("%s", fgets(line, sizeof line, pipe) != NULL ? line : "failed\n");
  pclose(pipe);
}

static void children(void) {
  print_masks("before");
#pragma omp parallel
  for (int i = 0; i < omp_get_num_threads(); i += omp_get_num_threads() - 1) {
    if (omp_get_thread_num() == i) start_all(i);
#pragma omp barrier
  }
  print_masks("after");
}

// The last thread of a region that the last thread of a region leads; twice, with other sizes, so
// that threads change teams.
static void inner(void) {
  print_masks("before");
  omp_set_max_active_levels(2);
  for (int size = 3; size >= 2; --size)
#pragma omp parallel num_threads(4)
    if (omp_get_thread_num() == 3)
#pragma omp parallel num_threads(size)
      if (omp_get_thread_num() == size - 1) {
        printf("inner %d ", size);
        print_own();
        start_all(size);
      }
}

static void changes(void) {
  cpu_set_t all, half;
  sched_getaffinity(0, sizeof all, &all);
  CPU_ZERO(&half);
  for (int cpu = 0; cpu < CPU_COUNT(&all) / 2; ++cpu) CPU_SET(cpu, &half);
  print_masks("all");
  sched_setaffinity(0, sizeof half, &half);
  pause_ms(1);
  print_masks("half");
  sched_setaffinity(0, sizeof all, &all);
  pause_ms(1);
  print_masks("again");
#pragma omp parallel
  {
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(omp_get_thread_num(), &one);
    sched_setaffinity(0, sizeof one, &one);
  }
  for (int i = 0; i < 3; ++i) pause_ms(1), look_at_masks();
  print_masks("own");
}

static void cpuset(const char* list) {
  print_masks("before");
  FILE* file = fopen("/sys/fs/cgroup/confined.cpuset.cpus/cpuset.cpus", "w");
  if (file == NULL || fputs(list, file) < 0 || fclose(file) != 0) {
    printf("cpuset.cpus: %s\n", strerror(errno));
    exit(1);
  }
  pause_ms(1);
  print_masks("after");
}

static void work(void) {
  volatile double sink = 0;
  for (int i = 0; i < 100000; ++i) sink = sink + i;
}

// Runs regions until a thread that had `list` has more CPUs, or less than a minute.
static int wait_until(const cpu_set_t* list, int away) {
  cpu_set_t node[kMostThreads];
  const int size = look_at_masks();
  memcpy(node, masks, sizeof node);
  for (const time_t start = time(NULL); time(NULL) < start + 60;) {
#pragma omp parallel
    work();
    look_at_masks();
    int others = 0;
    for (int i = 1; i < size; ++i) {
      cpu_set_t common;
      CPU_AND(&common, &masks[i], list);
      if (CPU_COUNT(&common) == CPU_COUNT(list) && CPU_COUNT(&masks[i]) > CPU_COUNT(list)) ++others;
    }
    if ((others > 0) == away) return 1;
  }
  return 0;
}

static void crowd(const char* list) {
  cpu_set_t set;
  if (!parse_cpus(list, &set)) {
    printf("no list of CPUs: %s\n", list);
    exit(2);
  }
  pid_t hogs[CPU_SETSIZE];
  int count = 0;
  print_masks("before");
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
    if (!CPU_ISSET(cpu, &set)) continue;
    hogs[count] = fork();
    if (hogs[count++] != 0) continue;
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(cpu, &one);
    sched_setaffinity(0, sizeof one, &one);
    for (;;) work();
  }
  printf("left %d\n", wait_until(&set, 1));
  while (count > 0) {
    kill(hogs[--count], SIGKILL);
    waitpid(hogs[count], NULL, 0);
  }
  printf("back %d\n", wait_until(&set, 0));
  print_masks("after");
}

// Some threads begin where they belong in a team of all, which is then one of them alone.
static void refused(void) {
  left = omp_get_max_threads() / 2;
  print_masks("few");
  print_masks("again");
  left = INT_MAX;
  print_masks("all");
}

int main(int count, char** words) {
  const ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
  if (length <= 0 || count < 2) return 2;
  self[length] = 0;
  if (strcmp(words[1], "mask") == 0) print_own();
  else if (strcmp(words[1], "children") == 0) children();
  else if (strcmp(words[1], "inner") == 0) inner();
  else if (strcmp(words[1], "changes") == 0) changes();
  else if (strcmp(words[1], "refused") == 0) refused();
  else if (strcmp(words[1], "cpuset") == 0 && count == 3) cpuset(words[2]);
  else if (strcmp(words[1], "crowd") == 0 && count == 3) crowd(words[2]);
  else return 2;
  return 0;
}
