/* start.c: which files one step of a program's start has opened and mapped.
 *
 *     start none|ask|alone|region|place
 *
 * The program prints "threads N", then "opened PATH" for each file that was opened since main()
 * began, then "mapped PATH" for each file that is in memory. It defines open() and openat() itself,
 * so that the library's calls of them arrive here. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <limits.h>
#include <omp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static char opened[1000][256];
static int count, counting, taken;

static int note(int folder, const char* path, int flags, int mode) {
  if (counting && count < 1000) {
    char link[64], base[PATH_MAX] = "";
    snprintf(link, sizeof link, "/proc/self/fd/%d", folder);
    if (path[0] != '/' && folder != AT_FDCWD && readlink(link, base, sizeof base - 1) > 0)
      strcat(base, "/");
    snprintf(opened[count++], sizeof opened[0], "%.150s%.100s", base, path);
  }
  return (int)syscall(SYS_openat, folder, path, flags, mode);
}

int open(const char* path, int flags, ...) { return note(AT_FDCWD, path, flags, 0600); }
int openat(int folder, const char* path, int flags, ...) { return note(folder, path, flags, 0600); }

/* clang's code for `critical` asks for the thread's number first, which makes the thread a root. */
static void __attribute__((noinline)) take_locks(void) {
  omp_lock_t lock;
  omp_init_lock(&lock);
  omp_set_lock(&lock);
  omp_unset_lock(&lock);
  omp_destroy_lock(&lock);
#ifndef __clang__
#pragma omp critical
  ++taken;
#endif
}

/* Not in main(), where clang's code would ask for the thread's number first. */
static int __attribute__((noinline)) run_alone(void) {
  int threads = 0;
#pragma omp parallel num_threads(1)
#pragma omp for schedule(dynamic)
  for (int i = 0; i < 10; ++i)
#pragma omp task shared(threads)
    threads = omp_get_num_threads();
  return threads;
}

int main(int argc, char** argv) {
  const char* step = argc > 1 ? argv[1] : "none";
  int threads = 0;
  counting = 1;
  if (strcmp(step, "ask") == 0) {
    omp_set_dynamic(0);
    threads = omp_get_max_threads() + 0 * (omp_get_num_procs() + omp_get_thread_limit());
    omp_set_num_threads(threads);
    take_locks();
    if (omp_get_max_threads() != threads || omp_get_level() != 0 || omp_in_parallel()) return 2;
  } else if (strcmp(step, "alone") == 0) {
    threads = run_alone();
  } else if (strcmp(step, "region") == 0) {
#pragma omp parallel
#pragma omp single
    threads = omp_get_num_threads();
  } else if (strcmp(step, "place") == 0) {
    threads = omp_get_num_places();
  }
  counting = 0;
  printf("threads %d\n", threads);
  for (int i = 0; i < count; ++i) printf("opened %s\n", opened[i]);
  FILE* maps = fopen("/proc/self/maps", "r");
  char line[PATH_MAX + 100];
  while (maps != NULL && fgets(line, sizeof line, maps) != NULL)
    if (strchr(line, '/') != NULL) printf("mapped %s", strchr(line, '/'));
  return 0;
}
