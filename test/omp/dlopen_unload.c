// A library with regions is loaded, used and unloaded, many times, by a program without OpenMP.
// test: library parts/plugin.c
// test: peer gcc-12 libgomp-12 is unmapped under its own threads
#include <dlfcn.h>

#include "check.h"

typedef int (*Sum)(int);

static void once(const char* path) {
  void* library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    fprintf(stderr, "%s\n", dlerror());
    exit(1);
  }
  Sum sum;
  *(void**)&sum = dlsym(library, "plugin_sum");
  CHECK_EQ(sum(1000), 499500);
  CHECK_EQ(sum(10), 45);
  CHECK_EQ(dlclose(library), 0);
}

int main(int argc, char** argv) {
  if (argc < 2) return 2;
  for (int round = 0; round < 20; ++round) once(argv[1]);
  return check_result();
}
