// Loads each of some libraries (plugin.c) after it has unloaded the one before, and prints for each the address of its
// function, and the fewest threads that its regions had, which ask for kAsked.
#include <dlfcn.h>
#include <omp.h>
#include <stdio.h>

enum { kAsked = 8, kRegions = 40 };

int main(int count, char** files) {
  if (omp_get_max_threads() < 1) return 1; /* keeps the runtime loaded */
  for (int i = 1; i < count; ++i) {
    void* const library = dlopen(files[i], RTLD_NOW);
    if (library == NULL) return puts(dlerror()), 1;
    int (*regions)(int, int);
    *(void**)&regions = dlsym(library, "plugin_regions");
    int fewest = kAsked;
    for (int n = 0; n < kRegions; ++n) {
      const int threads = regions(kAsked, 1);
      if (threads < fewest) fewest = threads;
    }
    printf("%p %d\n", *(void**)&regions, fewest);
    dlclose(library);
  }
  return 0;
}
