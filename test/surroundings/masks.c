// Adds the CPUs that its arguments name to a mask of LLVM's affinity API, and prints what each call returned.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

int main(int count, char** words) {
  void (*const make)(void**) = (void (*)(void**))dlsym(RTLD_DEFAULT, "kmp_create_affinity_mask");
  int (*const add)(int, void**) =
      (int (*)(int, void**))dlsym(RTLD_DEFAULT, "kmp_set_affinity_mask_proc");
  if (make == NULL || add == NULL || omp_get_num_procs() < 1) return 1;
  void* mask;
  make(&mask);
  for (int i = 1; i < count; ++i) printf("%s%d", i > 1 ? " " : "", add(atoi(words[i]), &mask));
  printf("\n");
  return 0;
}
