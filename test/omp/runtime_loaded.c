// Exactly one OpenMP runtime is mapped into the process, after it has worked.
#include <omp.h>

#include "check.h"

static int is_runtime(const char* path) {
  const char* name = strrchr(path, '/');
  if (!name) return 0;
  const char* known[] = {"libgomp", "libomp", "libiomp", "libvicino"};
  for (int i = 0; i < 4; ++i)
    if (strncmp(name + 1, known[i], strlen(known[i])) == 0) return 1;
  return 0;
}

int main(void) {
  int count = 0;
#pragma omp parallel reduction(+ : count)
  ++count;
  CHECK_EQ(count, omp_get_max_threads());
  FILE* maps = fopen("/proc/self/maps", "r");
  char line[4200], path[4097], previous[4097] = "";
  int runtimes = 0;
  while (maps && fgets(line, sizeof line, maps)) {
    if (sscanf(line, "%*s %*s %*s %*s %*s %4096s", path) != 1 || !is_runtime(path)) continue;
    runtimes += strcmp(path, previous) != 0;
    strcpy(previous, path);
  }
  CHECK_EQ(runtimes, 1);
  return check_result();
}
