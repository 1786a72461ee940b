/* Regions in turns with loops of threads that are not OpenMP's, and what a team takes between regions.
 *
 *   turns       prints how many per cent of the least time the turns take
 *   turns poll  the others poll when they have done their work; prints in how many per cent of the regions two members share
 *               a CPU
 *   turns idle  prints the microseconds of CPU time from 1 to 20 ms after a region, if pauses of 3 ms came before it
 *   turns alone the same, where there are no other threads
 *   turns spin  the others poll for ever and offer their CPUs; prints how often members slept in 100 regions with 30 us of
 *               serial work between them
 *
 * The other threads sleep while they have no work, as oneTBB's do after they have polled. All work is locked additions, of
 * which an emulator needs few for a microsecond.
 */
#define _GNU_SOURCE
#include <limits.h>
#include <omp.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include "../../lab/mark.h"

enum { kTurns = 60, kWarm = 40, kAdditions = 40000, kPolled = 50, kPolls = 200, kMostThreads = 64, kMs = 1000000 };

static long now_ns(clockid_t clock) {
  struct timespec now;
  clock_gettime(clock, &now);
  return now.tv_sec * 1000000000l + now.tv_nsec;
}

static void add(int count) {
  long word = 0;
  for (int i = 0; i < count; ++i) __asm__ volatile("lock addq $1, %0" : "+m"(word));
}

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t begun = PTHREAD_COND_INITIALIZER, done = PTHREAD_COND_INITIALIZER;
static int turn, left, share, polls;

static void* serve(void* unused) {
  for (int seen = 0;;) {
    for (int i = 0; i < polls && __atomic_load_n(&turn, __ATOMIC_RELAXED) == seen; ++i) {
      add(kPolled);
      sched_yield();
    }
    pthread_mutex_lock(&lock);
    while (turn == seen) pthread_cond_wait(&begun, &lock);
    seen = turn;
    pthread_mutex_unlock(&lock);
    add(share);
    pthread_mutex_lock(&lock);
    if (--left == 0) pthread_cond_signal(&done);
    pthread_mutex_unlock(&lock);
  }
  return unused;
}

static void others_turn(int threads) {
  pthread_mutex_lock(&lock);
  left = threads - 1;
  __atomic_store_n(&turn, turn + 1, __ATOMIC_RELAXED);
  pthread_cond_broadcast(&begun);
  pthread_mutex_unlock(&lock);
  add(share);
  pthread_mutex_lock(&lock);
  while (left > 0) pthread_cond_wait(&done, &lock);
  pthread_mutex_unlock(&lock);
}

static int cpus[kMostThreads];

static void regions_turn(void) {
#pragma omp parallel
  {
    add(share / 2);
    cpus[omp_get_thread_num()] = sched_getcpu();
    add(share - share / 2);
  }
}

static int two_share(int threads) {
  for (int i = 0; i < threads; ++i)
    for (int j = 0; j < i; ++j)
      if (cpus[i] == cpus[j]) return 1;
  return 0;
}

static void sleep_until(long ns) {
  const struct timespec then = {ns / 1000000000, ns % 1000000000};
  clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &then, NULL);
}

static void idle(void) {
  for (int i = 0; i < 8; ++i) {
    regions_turn();
    sleep_until(now_ns(CLOCK_MONOTONIC) + 3 * kMs);
  }
  regions_turn();
  const long over = now_ns(CLOCK_MONOTONIC);
  sleep_until(over + kMs);
  const long before = now_ns(CLOCK_PROCESS_CPUTIME_ID);
  sleep_until(over + 20 * kMs);
  printf("%ld\n", (now_ns(CLOCK_PROCESS_CPUTIME_ID) - before) / 1000);
}

static long sleeps(void) {
  struct rusage used;
  getrusage(RUSAGE_SELF, &used);
  return used.ru_nvcsw;
}

static void spin(void) {
  long before = 0;
  for (int i = 0; i < kWarm + 100; ++i) {
    if (i == kWarm) before = sleeps();
    regions_turn();
    add(kAdditions / 16);
  }
  printf("%ld\n", sleeps() - before);
}

static void turns(int threads, long alone) {
  long began = 0;
  int shared = 0;
  for (int i = 0; i < kWarm + kTurns; ++i) {
    if (i == kWarm) began = now_ns(CLOCK_MONOTONIC);
    regions_turn();
    shared += i >= kWarm && two_share(threads);
    others_turn(threads);
  }
  const long took = now_ns(CLOCK_MONOTONIC) - began;
  printf("%ld\n", polls > 0 ? shared * 100l / kTurns : took * 100 / (2 * kTurns * alone / threads));
}

int main(int count, char** words) {
  const int threads = omp_get_max_threads();
  if (threads > kMostThreads) abort();
  share = kAdditions / threads;
  const char* const mode = count > 1 ? words[1] : "";
  if (strcmp(mode, "poll") == 0) polls = kPolls;
  if (strcmp(mode, "spin") == 0) polls = INT_MAX;
  LAB_START();
  const long start = now_ns(CLOCK_MONOTONIC);
  add(kAdditions);
  const long alone = now_ns(CLOCK_MONOTONIC) - start;
  for (int i = 1; i < threads && strcmp(mode, "alone") != 0; ++i) {
    pthread_t thread;
    if (pthread_create(&thread, NULL, serve, NULL) != 0) abort();
  }
  if (strcmp(mode, "idle") == 0 || strcmp(mode, "alone") == 0)
    idle();
  else if (strcmp(mode, "spin") == 0)
    spin();
  else
    turns(threads, alone);
  LAB_STOP();
  return 0;
}
