// Loads a library (argv[1]), with RTLD_DEEPBIND if argv[2] is "deep", and runs regions in it. If
// argv[3] is "own", the program runs a region of its own first.
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

int main(int count, char** words) {
  if (count > 3 && strcmp(words[3], "own") == 0) {
    int seen = 0;
#pragma omp parallel num_threads(2) reduction(+ : seen)
    ++seen;
    if (seen != 2) return 1;
  }
  const int deep = strcmp(words[2], "deep") == 0 ? RTLD_DEEPBIND : 0;
  void* const library = dlopen(words[1], RTLD_NOW | deep);
  if (library == NULL) return puts(dlerror()), 2;
  int (*const regions)(int, int) = (int (*)(int, int))dlsym(library, "plugin_regions");
  printf("%d\n", regions(2, 5));
  return 0;
}
