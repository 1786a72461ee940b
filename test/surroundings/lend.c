// A rank that lends and borrows as it is told on standard input, one word a line; it answers each
// with a line. lend_test.py starts several.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <omp.h>
#include <poll.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static int (*lend)(void);
static void (*reclaim)(void);
static int (*lend_until)(int (*)(void*), void*, const void*);
static void* (*graph_new)(size_t, const unsigned*, const unsigned*, const float*, char*, size_t);
static int (*graph_run)(void*, int (*)(const unsigned*, size_t, void*), void*, const void*);

static void print_cpus(void) {
  cpu_set_t mask;
  CPU_ZERO(&mask);
  sched_getaffinity(0, sizeof mask, &mask);
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu)
    if (CPU_ISSET(cpu, &mask)) printf(" %d", cpu);
}

// The size of a team, and the CPUs of each member.
static void region(void) {
#pragma omp parallel
  {
#pragma omp single
    printf("%d", omp_get_num_threads());
#pragma omp for ordered schedule(static, 1)
    for (int i = 0; i < omp_get_num_threads(); ++i) {
#pragma omp ordered
      printf(" |"), print_cpus();
    }
  }
  printf("\n");
}

static double seconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// A region whose last member says "begun", and computes until it is on another CPU; tells both.
// After a long time it gives up.
static void moved(int limit_s) {
  int first = -1, last = -1;
#pragma omp parallel
  if (omp_get_thread_num() == omp_get_num_threads() - 1) {
    last = first = sched_getcpu();
    printf("begun\n");
    for (const double end = seconds() + limit_s; last == first && seconds() < end;)
      last = sched_getcpu();
  }
  printf("%d %d\n", first, last);
}

// Whether there is a next word.
static int is_told(void) {
  struct pollfd input = {.fd = STDIN_FILENO, .events = POLLIN};
  return poll(&input, 1, 0) > 0;
}
static int told(void* unused) { return (void)unused, is_told(); }
static int passed(void* end) { return seconds() >= *(double*)end; }

// A region whose last member says "held", and computes until there is a next word.
static void hold(void) {
#pragma omp parallel
  if (omp_get_thread_num() == omp_get_num_threads() - 1) {
    printf("held\n");
    while (!is_told()) {
    }
  }
  printf("\n");
}

// One thread does the work of two unless another comes while it lasts: `count` regions of one loop
// each, of about so many microseconds on one core. Tells in how many of them members ran on
// different CPUs.
static void shared(int count, int us) {
  enum { kPieces = 200 };
  int found = 0;
  for (int i = 0; i < count; ++i) {
    int used[CPU_SETSIZE] = {0}, cpus = 0;
    long sum = 0;
#pragma omp parallel for schedule(runtime) reduction(+ : sum)
    for (int piece = 0; piece < kPieces; ++piece) {
      const double end = seconds() + 1e-6 * us / kPieces;
      while (seconds() < end) {
      }
      __atomic_store_n(&used[sched_getcpu()], 1, __ATOMIC_RELAXED);
      sum += piece;
    }
    if (sum != kPieces * (kPieces - 1) / 2) exit(2);
    for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) cpus += used[cpu];
    found += cpus > 1;
  }
  printf("%d\n", found);
}

// Waits until there is a next word.
static void wait_until_told(void) {
  if (!lend_until(told, NULL, "wait")) exit(3);
  printf("\n");
}

// Computes for `us` and lends for `us`, for some seconds.
static void pulse(int us, double duration) {
  for (const double end = seconds() + duration; seconds() < end;) {
    double until = seconds() + 1e-6 * us;
    if (!lend_until(passed, &until, "pulse")) exit(3);
    for (until += 1e-6 * us; seconds() < until;) {
    }
  }
  printf("\n");
}

static void compute(int us) {
  const double end = seconds() + 1e-6 * us;
  while (seconds() < end) {
  }
}

// Bodies with one loop of 100 iterations of `us` together, and something after it that each member
// has to do, or for which members meet. Now and then there is a second loop. Tells how many teams
// had two members.
static void bodies(int us, double duration) {
  enum { kLoop = 100, kSum = kLoop * (kLoop - 1) / 2 };
  int wide = 0, at = 0;
  for (const double end = seconds() + duration; seconds() < end; ++at) {
    const int second = at % 16 == 15;
    int runs = 0, size = 0, met = 0, next = 0, tasks = 0;
    long sum = 0, more = 0;
    // Each member runs the body to its end.
#pragma omp parallel reduction(+ : sum, more)
    {
#pragma omp for schedule(runtime) nowait
      for (int i = 0; i < kLoop; ++i) compute(us / kLoop), sum += i;
      for (int k = 0; k < 20 * second; ++k) {
#pragma omp for schedule(dynamic) nowait
        for (int i = 0; i < kLoop; ++i) more += i;
      }
      if (omp_get_thread_num() == 0) size = omp_get_num_threads();
#pragma omp atomic
      ++runs;
    }
    if (runs != size || sum != kSum || more != 20 * second * kSum) exit(4);
    wide += size > 1;
    // All of them meet at a barrier.
#pragma omp parallel
    {
#pragma omp atomic
      ++met;
#pragma omp for schedule(dynamic)
      for (int i = 0; i < kLoop; ++i) compute(us / kLoop);
      if (__atomic_load_n(&met, __ATOMIC_RELAXED) != omp_get_num_threads()) exit(5);
    }
    // An iteration waits for the one before, which another member may have.
#pragma omp parallel
#pragma omp for schedule(static, 1) ordered
    for (int i = 0; i < kLoop; ++i) {
      compute(us / kLoop);
#pragma omp ordered
      if (next++ != i) exit(6);
    }
#pragma omp parallel
    {
#pragma omp for schedule(runtime) nowait
      for (int i = 0; i < kLoop; ++i) compute(us / kLoop);
#pragma omp task
#pragma omp atomic
      ++tasks;
#pragma omp taskwait
      if (omp_get_thread_num() == 0) size = omp_get_num_threads();
    }
    if (tasks != size) exit(7);
  }
  printf("%d\n", wide);
}

static void check(int holds, int code) {
  if (!holds) exit(code);
}

static int mine;
#pragma omp threadprivate(mine)

enum { kSteps = 6, kKinds = 17, kWaits = 3 };

// What all members do at one step of a region; all of them draw the same `kind`. `shared` is the
// step's own memory, and 0 at first. Some kinds end with a barrier, others do not.
static void step(int kind, int number, int* shared) {
  const int size = omp_get_num_threads(), me = omp_get_thread_num();
  int copied = 0;
  long sum = 0;
  switch (kind) {
    case 0:
      __atomic_fetch_add(shared, 1, __ATOMIC_RELAXED);
#pragma omp barrier
      check(__atomic_load_n(shared, __ATOMIC_RELAXED) == size, 10);
      break;
    case 1:
#pragma omp single nowait
      check(__atomic_fetch_add(shared, 1, __ATOMIC_RELAXED) == 0, 11);
      break;
    case 2:
#pragma omp single copyprivate(copied)
      copied = number + 1;
      check(copied == number + 1, 12);
      break;
    case 3:
#pragma omp sections nowait
    {
#pragma omp section
      check((__atomic_fetch_add(shared, 1, __ATOMIC_RELAXED) & 1) == 0, 13);
#pragma omp section
      check((__atomic_fetch_add(shared, 2, __ATOMIC_RELAXED) & 2) == 0, 13);
    } break;
    case 4:
#pragma omp for schedule(dynamic, 3)
      for (int i = 0; i < 50; ++i) __atomic_fetch_add(shared, i, __ATOMIC_RELAXED);
      check(__atomic_load_n(shared, __ATOMIC_RELAXED) == 1225, 14);
      break;
    case 5:
#pragma omp for schedule(static, 1) ordered nowait
      for (int i = 0; i < 20; ++i) {
#pragma omp ordered
        check((*shared)++ == i, 15);
      }
      break;
    case 6:
#pragma omp critical
      ++*shared;
      break;
    case 7:
#pragma omp task shared(copied)
      copied = 1;
#pragma omp taskwait
      check(copied == 1, 16);
      break;
    case 8:
#pragma omp single
#pragma omp taskloop grainsize(4)
      for (int i = 0; i < 40; ++i) __atomic_fetch_add(shared, 1, __ATOMIC_RELAXED);
      check(__atomic_load_n(shared, __ATOMIC_RELAXED) == 40, 17);
      break;
    case 9: {
      static long total[kSteps];
#pragma omp single
      total[number] = 0;
#pragma omp for schedule(guided) reduction(+ : total[number : 1])
      for (int i = 0; i < 100; ++i) total[number] += i;
      check(total[number] == 4950, 18);
      break;
    }
    case 10:
#pragma omp parallel num_threads(2) reduction(+ : sum)
    {
#pragma omp for schedule(dynamic)
      for (int i = 0; i < 10; ++i) sum += i;
    }
      check(sum == 45, 19);
      break;
    case 11:
      mine = 100 * number + me;
#pragma omp barrier
      check(mine == 100 * number + me, 20);
      break;
    case 12:
#pragma omp master
      *shared = number + 1;
#pragma omp barrier
      check(*shared == number + 1, 21);
      break;
    case 13:
#pragma omp taskgroup
    {
#pragma omp task depend(out : copied) shared(copied)
      copied = 3;
#pragma omp task depend(inout : copied) shared(copied)
      copied *= 5;
    }
      check(copied == 15, 22);
      break;
    case 14:
#pragma omp for schedule(static, 1) nowait
      for (int i = 0; i < 30; ++i) __atomic_fetch_add(shared, 1, __ATOMIC_RELAXED);
      break;
    case 15:
      for (int k = 0; k < 12; ++k) {
#pragma omp for schedule(dynamic, 2) nowait
        for (int i = 0; i < 10; ++i) __atomic_fetch_add(shared, 1, __ATOMIC_RELAXED);
      }
      break;
    case 16:  // a wait that the runtime knows nothing of
      if (me == size - 1) __atomic_store_n(shared, 1, __ATOMIC_RELEASE);
      while (__atomic_load_n(shared, __ATOMIC_ACQUIRE) == 0) sched_yield();
      break;
  }
}

static int run_tasks(const unsigned* tasks, size_t count, void* runs) {
  for (size_t i = 0; i < count; ++i) __atomic_fetch_add((int*)runs + tasks[i], 1, __ATOMIC_RELAXED);
  return 0;
}

// A region whose members share the tasks of a graph: each begins with some of them.
static void run_graph(void) {
  enum { kTasks = 20 };
  static void* graph = NULL;
  unsigned first[kTasks + 1] = {0};
  int runs[kTasks] = {0};
  if (graph == NULL) graph = graph_new(kTasks, first, first, NULL, NULL, 0);
  check(graph != NULL && graph_run(graph, run_tasks, runs, NULL) == 0, 30);
  for (int i = 0; i < kTasks; ++i) check(runs[i] == 1, 31);
}

// Regions with constructs drawn at random, before and after a loop that another thread may join,
// for some seconds. `all`: waits by the program's own flags, too. Tells how many teams had two
// members.
static void mixed(unsigned seed, double duration, int all) {
  enum { kLoop = 100 };
  int wide = 0;
  for (const double end = seconds() + duration; seconds() < end;) {
    int kinds[kSteps], shared[kSteps] = {0}, size = 0, runs = 0, loop = 0, all_runs = 0;
    for (int i = 0; i < kSteps; ++i) kinds[i] = rand_r(&seed) % (kKinds - !all);
    const int before = rand_r(&seed) % 4 == 0, steps = rand_r(&seed) % (kSteps + 1);
    const int us = 300 + rand_r(&seed) % 1500;
    if (rand_r(&seed) % kWaits == 0) {
      double until = seconds() + 1e-6 * (rand_r(&seed) % 2000);
      check(lend_until(passed, &until, "mixed"), 3);
    }
#pragma omp parallel reduction(+ : all_runs)
    {
      if (before && steps > 0) step(kinds[0], 0, &shared[0]);
#pragma omp for schedule(runtime) nowait
      for (int i = 0; i < kLoop; ++i)
        compute(us / kLoop), __atomic_fetch_add(&loop, 1, __ATOMIC_RELAXED);
      for (int i = before; i < steps; ++i) step(kinds[i], i, &shared[i]);
      if (omp_get_thread_num() == 0) size = omp_get_num_threads();
      __atomic_fetch_add(&runs, 1, __ATOMIC_RELAXED);
      ++all_runs;
    }
    check(runs == size && all_runs == size && loop == kLoop, 23);
    for (int i = 0; i < steps; ++i) {
      check(kinds[i] != 1 || shared[i] == 1, 24);
      check(kinds[i] != 3 || shared[i] == 3, 25);
      check(kinds[i] != 5 || shared[i] == 20, 26);
      check(kinds[i] != 6 || shared[i] == size, 27);
      check(kinds[i] != 14 || shared[i] == 30, 28);
      check(kinds[i] != 15 || shared[i] == 120, 29);
    }
    wide += size > 1;
    if (rand_r(&seed) % kWaits == 0) run_graph();
  }
  printf("%d\n", wide);
}

// Lends, returns and computes at random for some seconds; each region's sum is checked.
static void live(unsigned seed, double duration) {
  long regions = 0, wide = 0;
  for (const double end = seconds() + duration; seconds() < end;) {
    const int what = rand_r(&seed) % 8;
    if (what == 0) lend(), usleep((unsigned)(rand_r(&seed) % 500)), reclaim();
    if (what == 1) {
      double until = seconds() + 1e-6 * (rand_r(&seed) % 2000);
      if (!lend_until(passed, &until, "live")) exit(3);
    }
    long sum = 0;
    int size = 0;
#pragma omp parallel for reduction(+ : sum) schedule(static)
    for (int i = 0; i < 1000; ++i) {
      sum += i;
      if (i == 0) size = omp_get_num_threads();
    }
    if (sum != 499500) exit(2);
    ++regions;
    wide += size > 1;
  }
  printf("%ld %ld\n", regions, wide);
}

int main(void) {
  *(void**)&lend = dlsym(RTLD_DEFAULT, "vicino_lend");
  *(void**)&reclaim = dlsym(RTLD_DEFAULT, "vicino_reclaim");
  *(void**)&lend_until = dlsym(RTLD_DEFAULT, "vicino_lend_until");
  *(void**)&graph_new = dlsym(RTLD_DEFAULT, "vicino_graph_new");
  *(void**)&graph_run = dlsym(RTLD_DEFAULT, "vicino_graph_run");
  setvbuf(stdout, NULL, _IOLBF, 0);
  char line[64], word[32];
  while (fgets(line, sizeof line, stdin) != NULL) {
    int a = 0, b = 0, c = 0;
    if (sscanf(line, "%31s %d %d %d", word, &a, &b, &c) < 1) continue;
    if (strcmp(word, "lend") == 0) printf("%d\n", lend());
    if (strcmp(word, "reclaim") == 0) reclaim(), printf("\n");
    if (strcmp(word, "region") == 0) region();
    if (strcmp(word, "moved") == 0) moved(a);
    if (strcmp(word, "hold") == 0) hold();
    if (strcmp(word, "max") == 0) printf("%d %d\n", omp_get_max_threads(), omp_get_dynamic());
    if (strcmp(word, "shared") == 0) shared(a, b);
    if (strcmp(word, "wait") == 0) wait_until_told();
    if (strcmp(word, "pulse") == 0) pulse(a, 1e-3 * b);
    if (strcmp(word, "bodies") == 0) bodies(a, 1e-3 * b);
    if (strcmp(word, "mixed") == 0) mixed((unsigned)a, 1e-3 * b, c);
    if (strcmp(word, "live") == 0) live((unsigned)a, 1e-3 * b);
    if (strcmp(word, "inside") == 0) {
      int lent = -1;
#pragma omp parallel num_threads(2)
#pragma omp single
      lent = lend();
      printf("%d\n", lent);
    }
    if (strcmp(word, "child") == 0) {
      fflush(stdout);
      const pid_t child = fork();
      if (child == 0) {
        printf("%d ", lend());
        region();
        exit(0);
      }
      waitpid(child, NULL, 0);
    }
  }
  return 0;
}
