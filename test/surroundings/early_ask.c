// As a library: it asks OpenMP in its constructor, which may run before the runtime's own, as OpenBLAS's does.
// As a program: what it was told, and what main() is told.
#include <omp.h>
#include <stdio.h>

extern int early;

#ifdef LIBRARY
int early;
__attribute__((constructor)) static void ask(void) { early = ASK(); }
#else
int main(void) {
  printf("%d %d\n", early, ASK());
  return 0;
}
#endif
