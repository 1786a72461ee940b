/* Programs whose durations are known, by the guest's clock; timed_test.py has the durations.
 *
 *   timed TEST [ARGUMENT...]
 *
 * prints one line: nanoseconds as CLOCK_MONOTONIC measures them, and as the time-stamp counter does.
 * Threads are bound, and wait for each other with PAUSE on lines of their own.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
#include <x86intrin.h>

#include "../../lab/mark.h"

enum { kLine = 64, kPage = 4096, kMaxCpus = 64, kBind = 2 };

static void fail(const char* what) {
  perror(what);
  exit(1);
}

static long number(char** argument) {
  if (!*argument) {
    fprintf(stderr, "timed: a number is missing\n");
    exit(2);
  }
  return atol(*argument);
}

static void go_to(int cpu) {
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(cpu, &set);
  if (sched_setaffinity(0, sizeof set, &set)) fail("sched_setaffinity");
}

static char* pages_on(int node, long bytes) {
  const unsigned long mask = 1ul << node;
  char* memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) fail("mmap");
  if (syscall(SYS_mbind, memory, bytes, kBind, &mask, 64ul, 0ul)) fail("mbind");
  memset(memory, 0, bytes);
  return memory;
}

static long now_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1000000000l + now.tv_nsec;
}

static long began_ns;
static unsigned long began_ticks;
static long result_ns;
static unsigned long result_ticks;

static void begin(void) {
  LAB_START();
  began_ns = now_ns();
  began_ticks = __rdtsc();
}

static void end(void) {
  result_ticks = __rdtsc() - began_ticks;
  result_ns = now_ns() - began_ns;
  LAB_STOP();
}

/* N loops of two instructions, on a CPU if one is named. */
static void loops(char** arguments) {
  long n = number(arguments);
  if (arguments[1]) go_to((int)number(arguments + 1));
  begin();
  __asm__ volatile("1: dec %0\n\tjnz 1b" : "+r"(n)::"cc");
  end();
}

static void sleeps(char** arguments) {
  const long ns = number(arguments);
  const struct timespec time = {ns / 1000000000l, ns % 1000000000l};
  prctl(PR_SET_TIMERSLACK, 1ul); /* or the kernel adds 50 us */
  begin();
  nanosleep(&time, NULL);
  end();
}

/* CPU, NODE, N: a list of N lines in the node's memory, far apart, each of which names the next. */
static void chain(char** arguments) {
  const long n = number(arguments + 2), step = 7 * kLine; /* no stream: 7 lines apart */
  go_to((int)number(arguments));
  char* memory = pages_on((int)number(arguments + 1), n * step);
  for (long i = 0; i < n; ++i)
    *(char**)(memory + i * step) = i + 1 < n ? memory + (i + 1) * step : NULL;
  /* Accesses are modelled from begin() on, so no cache has a line of the list yet. */
  begin();
  for (char* at = memory; at; at = *(char**)at);
  end();
}

static atomic_int arrived;
static int threads;

static void meet(void) {
  static atomic_int round;
  const int mine = atomic_load(&round);
  if (atomic_fetch_add(&arrived, 1) + 1 == threads) {
    atomic_store(&arrived, 0);
    atomic_store(&round, mine + 1);
  } else {
    while (atomic_load(&round) == mine) _mm_pause();
  }
}

static struct {
  int cpu;
  char* data;
  pthread_t thread;
} members[kMaxCpus];
static long each;
static void (*work)(int me);

static void* take_part(void* argument) {
  const int me = (int)(intptr_t)argument;
  go_to(members[me].cpu);
  meet();
  if (me == 0) begin();
  meet();
  work(me);
  meet();
  if (me == 0) end();
  return NULL;
}

/* Runs the work on the CPUs that are listed. */
static void run(void (*its_work)(int me), char** cpus) {
  work = its_work;
  for (; cpus[threads]; ++threads) members[threads].cpu = atoi(cpus[threads]);
  for (int i = 1; i < threads; ++i)
    if (pthread_create(&members[i].thread, NULL, take_part, (void*)(intptr_t)i))
      fail("pthread_create");
  take_part(NULL);
  for (int i = 1; i < threads; ++i) pthread_join(members[i].thread, NULL);
}

static void stream(int me) {
  for (long at = 0; at < each; at += kLine) (void)*(volatile long*)(members[me].data + at);
}

/* NODE, BYTES, CPU...: each CPU reads so many bytes of its own from the node's memory. */
static void streams(char** arguments) {
  each = number(arguments + 1);
  for (int i = 0; arguments[2 + i]; ++i) members[i].data = pages_on((int)number(arguments), each);
  run(stream, arguments + 2);
}

static struct {
  _Alignas(kLine) atomic_long turn;
} line;

/* Each takes the line when its turn has come, and gives it to the next. */
static void pass(int me) {
  for (long mine = me; mine < each; mine += threads) {
    while (atomic_load_explicit(&line.turn, memory_order_acquire) != mine);
    atomic_store_explicit(&line.turn, mine + 1, memory_order_release);
  }
}

/* N, CPU...: a line goes round the CPUs until it was handed on N times. */
static void passes(char** arguments) {
  each = number(arguments);
  run(pass, arguments + 1);
}

static void update(int me) {
  (void)me;
  for (long i = 0; i < each; ++i) atomic_fetch_add(&line.turn, 1);
}

/* N, CPU...: each updates one line N times. */
static void updates(char** arguments) {
  each = number(arguments);
  run(update, arguments + 1);
}

static atomic_long last;
static long backwards;

static void look(int me) {
  for (long mine = me; mine < each; mine += threads) {
    while (atomic_load(&line.turn) != mine) _mm_pause();
    const long now = now_ns();
    if (now < atomic_load(&last)) ++backwards;
    atomic_store(&last, now);
    atomic_store(&line.turn, mine + 1);
  }
}

/* N, CPU...: each reads the clock when its turn has come. The result is how often it went back. */
static void looks(char** arguments) {
  each = number(arguments);
  run(look, arguments + 1);
  result_ns = backwards;
  result_ticks = 0;
}

int main(int argc, char** argv) {
  static const struct {
    const char* name;
    void (*run)(char**);
  } tests[] = {{"loops", loops},   {"sleeps", sleeps},   {"chain", chain}, {"streams", streams},
               {"passes", passes}, {"updates", updates}, {"looks", looks}};
  for (unsigned i = 0; argc > 1 && i < sizeof tests / sizeof *tests; ++i) {
    if (strcmp(argv[1], tests[i].name) != 0) continue;
    tests[i].run(argv + 2);
    printf("%ld %lu\n", result_ns, result_ticks);
    return 0;
  }
  fprintf(stderr,
          "timed TEST [ARGUMENT...]: loops, sleeps, chain, streams, passes, updates, looks\n");
  return 2;
}
