// hello.c: a parallel region, a lock and the names of the objects that took part.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <link.h>
#include <omp.h>
#include <stdio.h>
#include <string.h>

static int print_runtime(struct dl_phdr_info* object, size_t size, void* unused) {
  (void)size, (void)unused;
  const char* file = strrchr(object->dlpi_name, '/');
  if (file && (strstr(file, "omp") || strstr(file, "vicino"))) {
    printf("loaded %s\n", object->dlpi_name);
  }
  return 0;
}

int main(void) {
  int seen[4] = {0}, sum = 0, locked = 0;
  omp_lock_t lock;
  omp_init_lock(&lock);
#pragma omp parallel num_threads(4) reduction(+ : sum)
  {
    seen[omp_get_thread_num()]++;
    omp_set_lock(&lock);
    locked++;
    omp_unset_lock(&lock);
#pragma omp for schedule(dynamic, 3)
    for (int i = 0; i < 100; ++i) sum += i;
  }
  omp_destroy_lock(&lock);
  printf("seen %d %d %d %d locked %d sum %d\n", seen[0], seen[1], seen[2], seen[3], locked, sum);

  const char* (*version)(void) = (const char* (*)(void))dlsym(RTLD_DEFAULT, "vicino_version");
  printf("version %s\n", version ? version() : "none");
  // The object where a call from this program arrives, by symbol versions and search order.
  Dl_info info;
  if (dladdr((void*)omp_get_thread_num, &info)) printf("calls %s\n", info.dli_fname);
  dl_iterate_phdr(print_runtime, NULL);
  return 0;
}
