// threads_now.h: how many threads the process has, of the runtime and of the program.
#ifndef THREADS_NOW_H
#define THREADS_NOW_H
#include <dirent.h>

#include "check.h"

static inline int threads_now(void) {
  int threads = 0;
  DIR* folder = opendir("/proc/self/task");
  CHECK(folder != NULL);
  for (const struct dirent* entry; (entry = readdir(folder)) != NULL;)
    threads += entry->d_name[0] != '.';
  closedir(folder);
  return threads;
}

#endif
