/* Regions and barriers beside processes that want the CPUs, too.
 *
 *   beside WEIGHT KIND COPIES MS
 *
 * WEIGHT  the others' nice value, or `group`: they are in a control group of a tenth of the usual weight
 * KIND    endless: each runs all the time; short:US: processes that run for so long, one after the other;
 *         wake:US: each sleeps for so long, and runs for a tenth of it
 * MS      for how long it is measured
 *
 * Prints the nanoseconds of a region and of a barrier, each the mean of all. The others run PAUSE, which costs an
 * emulator few instructions.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <x86intrin.h>

#include "../../lab/mark.h"

enum { kOnce = 500, kMostCopies = 64, kUs = 1000, kMs = 1000000 };

static void fail(const char* what) {
  perror(what);
  exit(1);
}

static void reject(const char* name, const char* value, const char* accepted) {
  fprintf(stderr, "beside: %s is '%s'; accepted: %s\n", name, value, accepted);
  exit(2);
}

static long number(const char* name, const char* text, long least, long most,
                   const char* accepted) {
  char* end;
  const long value = strtol(text, &end, 10);
  if (end == text || *end != 0 || value < least || value > most) reject(name, text, accepted);
  return value;
}

static long now_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1000000000l + now.tv_nsec;
}

static void run_for(long ns) {
  for (const long end = now_ns() + ns; now_ns() < end;)
    for (int i = 0; i < 16; ++i) _mm_pause();
}

static void run_endless(long unused) {
  (void)unused;
  for (;;) _mm_pause();
}

static void run_short(long us) {
  for (;;) {
    const pid_t child = fork();
    if (child < 0) fail("fork");
    if (child == 0) {
      run_for(us * kUs);
      _exit(0);
    }
    waitpid(child, NULL, 0);
  }
}

static void run_wake(long us) {
  const struct timespec nap = {us / 1000000, us % 1000000 * kUs};
  for (;;) {
    nanosleep(&nap, NULL);
    run_for(us * kUs / 10);
  }
}

static void write_to(const char* path, const char* text) {
  const int file = open(path, O_WRONLY);
  if (file < 0 || write(file, text, strlen(text)) != (ssize_t)strlen(text)) fail(path);
  close(file);
}

static void enter_light_group(void) {
  mkdir("/beside", 0700);
  if (mount("none", "/beside", "cgroup2", 0, NULL) != 0 && errno != EBUSY) fail("cgroup2");
  write_to("/beside/cgroup.subtree_control", "+cpu");
  mkdir("/beside/light", 0700);
  write_to("/beside/light/cpu.weight", "10");
  write_to("/beside/light/cgroup.procs", "0");
}

struct Kind {
  void (*run)(long us);
  long us;
};

static struct Kind kind_of(const char* text) {
  const char* const accepted = "endless, short:US, wake:US, US from 1 to 1000000";
  if (strcmp(text, "endless") == 0) return (struct Kind){run_endless, 0};
  const char* const colon = strchr(text, ':');
  if (colon == NULL) reject("the kind", text, accepted);
  const long us = number("the time of a kind", colon + 1, 1, 1000000, "1 to 1000000");
  if (strncmp(text, "short:", 6) == 0) return (struct Kind){run_short, us};
  if (strncmp(text, "wake:", 5) == 0) return (struct Kind){run_wake, us};
  reject("the kind", text, accepted);
  exit(2);
}

static pid_t start(const char* weight, struct Kind kind) {
  const int light = strcmp(weight, "group") == 0;
  const long nice_by = light ? 0 : number("the weight", weight, 0, 19, "0 to 19, group");
  const pid_t started = fork();
  if (started < 0) fail("fork");
  if (started > 0) return started;
  setpgid(0, 0);
  if (light) enter_light_group();
  if (nice_by > 0 && nice((int)nice_by) < 0) fail("nice");
  kind.run(kind.us);
  exit(0);
}

static void regions(void) {
  for (int i = 0; i < kOnce; ++i) {
#pragma omp parallel
    __asm__ volatile("" ::: "memory");
  }
}

static void barriers(void) {
#pragma omp parallel
  for (int i = 0; i < kOnce; ++i) {
#pragma omp barrier
  }
}

struct Mean {
  long ns, count;
};

static void add(struct Mean* mean, void (*run)(void)) {
  const long began = now_ns();
  run();
  mean->ns += now_ns() - began;
  mean->count += kOnce;
}

int main(int count, char** words) {
  if (count != 5) reject("the number of arguments", words[0], "WEIGHT KIND COPIES MS");
  const struct Kind kind = kind_of(words[2]);
  const long copies = number("the number of copies", words[3], 0, kMostCopies, "0 to 64");
  const long ms = number("the time", words[4], 1, 1000000, "1 to 1000000");
  pid_t others[kMostCopies];
  for (long i = 0; i < copies; ++i) others[i] = start(words[1], kind);
  struct Mean region = {0, 0}, barrier = {0, 0};
  LAB_START();
  regions(); /* starts the team */
  for (const long end = now_ns() + ms * kMs; now_ns() < end;) {
    add(&region, regions);
    add(&barrier, barriers);
  }
  LAB_STOP();
  for (long i = 0; i < copies; ++i) kill(-others[i], SIGKILL);
  while (wait(NULL) > 0);
  printf("%ld %ld\n", region.ns / region.count, barrier.ns / barrier.count);
  return 0;
}
