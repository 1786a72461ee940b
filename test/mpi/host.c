/* Needs no MPI: with arguments it loads a plugin that does, in a scope of its own, as Python does.
 * Linked with the plugin, it calls it directly. */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

#ifdef LINKED
int run_plugin(void);
#endif

int main(int argc, char** argv) {
  const char* preloaded = getenv("LD_PRELOAD");
  printf("preloaded %s\n", preloaded != NULL ? preloaded : "");
  fflush(stdout);
#ifdef LINKED
  (void)argc, (void)argv;
  return run_plugin();
#else
  if (argc < 2) return 0;
  void* plugin = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
  if (plugin == NULL) return fprintf(stderr, "%s\n", dlerror()), 1;
  int (*run)(void) = (int (*)(void))dlsym(plugin, "run_plugin");
  return run();
#endif
}
