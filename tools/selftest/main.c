/* main.c: runs one part of the self-test, and says which library the OpenMP calls have reached.
 *
 *     selftest-gcc PART        or        selftest-clang PART
 *
 * The last line is `end`: without it the part was not run to its end, whatever the exit status says. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <link.h>
#include <omp.h>
#include <sched.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "check.h"

/* The entry points that compiled code calls. Their types do not matter: only the addresses are used. */
#ifdef __clang__
void parallel_entry(void) __asm__("__kmpc_fork_call");
void task_entry(void) __asm__("__kmpc_omp_task");
#else
void parallel_entry(void) __asm__("GOMP_parallel");
void task_entry(void) __asm__("GOMP_task");
#endif

static const struct {
  const char* name;
  void (*run)(void);
} kParts[] = {
    {"team", test_team},
    {"places", test_places},
    {"loops", test_loops},
    {"reductions", test_reductions},
    {"constructs", test_constructs},
    {"locks", test_locks},
    {"tasks", test_tasks},
    {"taskloops", test_taskloops},
    {"depend", test_depend},
    {"cancel", test_cancel},
    {"nested", test_nested},
    {"target", test_target},
    {"memory", test_memory},
    {"openacc", test_openacc},
};

static void print(const char* format, va_list values) {
  vprintf(format, values);
  putchar('\n');
  fflush(stdout); /* a program that is stopped has told what it did before */
}

void check(const char* name, int good, const char* format, ...) {
  if (good) {
    printf("ok %s\n", name);
    fflush(stdout);
    return;
  }
  va_list values;
  va_start(values, format);
  printf("failed %s: ", name);
  print(format, values);
  va_end(values);
}

void check_number(const char* name, long seen, long expected) {
  check(name, seen == expected, "%ld where %ld was expected", seen, expected);
}

void fact(const char* key, const char* format, ...) {
  va_list values;
  va_start(values, format);
  printf("fact %s ", key);
  print(format, values);
  va_end(values);
}

void dawdle(void) {
  for (volatile int i = 0; i < 200; ++i) continue;
  sched_yield();
}

static void tell_library_of(void (*entry)(void)) {
  Dl_info info;
  const int found = dladdr((void*)entry, &info);
  fact("library", "%s", found ? info.dli_fname : "(none)");
}

/* Runtimes are known by the names of their files. */
static int tell_runtime(struct dl_phdr_info* info, size_t size, void* data) {
  static const char* const kNames[] = {"libgomp", "libomp", "libiomp", "libvicino."};
  (void)size, (void)data;
  const char* slash = strrchr(info->dlpi_name, '/');
  const char* file = slash != NULL ? slash + 1 : info->dlpi_name;
  for (unsigned i = 0; i < sizeof kNames / sizeof *kNames; ++i)
    if (strncmp(file, kNames[i], strlen(kNames[i])) == 0) fact("loaded", "%s", info->dlpi_name);
  return 0;
}

static void tell_runtimes(void) {
  tell_library_of(parallel_entry);
  tell_library_of(task_entry);
  tell_library_of((void (*)(void))omp_get_num_threads);
  dl_iterate_phdr(tell_runtime, NULL);
  const char* (*version)(void);
  *(void**)&version = dlsym(RTLD_DEFAULT, "vicino_version");
  fact("version", "%s", version != NULL ? version() : "(none)");
}

int main(int argc, char** argv) {
  for (unsigned i = 0; argc == 2 && i < sizeof kParts / sizeof *kParts; ++i) {
    if (strcmp(argv[1], kParts[i].name) != 0) continue;
    fact("compiler", "%s", __VERSION__);
    tell_runtimes();
    kParts[i].run();
    puts("end");
    return 0;
  }
  fprintf(stderr, "usage: %s PART\nThe parts are:", argv[0]);
  for (unsigned i = 0; i < sizeof kParts / sizeof *kParts; ++i)
    fprintf(stderr, " %s", kParts[i].name);
  fputc('\n', stderr);
  return 2;
}
