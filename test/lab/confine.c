// confine.c: runs a command that may use only some of the CPUs, in one of two ways.
//
//   confine mask CPUS COMMAND...      by its affinity mask, as taskset and job managers set it
//   confine cpuset CPUS COMMAND...    by a control group's cpuset, as containers do
//
// CPUS is a list as the kernel writes it: 0-3,8. Run it only in a guest, because it mounts cgroup2.
#define _GNU_SOURCE
#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cpus.h"

#define GROUPS "/sys/fs/cgroup"

static void fail(const char* what) {
  fprintf(stderr, "confine: %s: %s\n", what, strerror(errno));
  exit(125);
}

static void write_to(const char* path, const char* text) {
  FILE* file = fopen(path, "w");
  if (file == NULL || fputs(text, file) < 0 || fclose(file) != 0) fail(path);
}

static void set_mask(const char* list) {
  cpu_set_t set;
  if (!parse_cpus(list, &set)) {
    errno = EINVAL;
    fail(list);
  }
  if (sched_setaffinity(0, sizeof set, &set) != 0) fail(list);
}

static void set_cpuset(const char* list) {
  if (mount("cgroup2", GROUPS, "cgroup2", 0, NULL) != 0 && errno != EBUSY) fail(GROUPS);
  write_to(GROUPS "/cgroup.subtree_control", "+cpuset");
  if (mkdir(GROUPS "/confined", 0755) != 0 && errno != EEXIST) fail(GROUPS "/confined");
  write_to(GROUPS "/confined/cpuset.cpus", list);
  write_to(GROUPS "/confined/cgroup.procs", "0");
}

int main(int count, char** words) {
  if (count >= 4 && strcmp(words[1], "mask") == 0) {
    set_mask(words[2]);
  } else if (count >= 4 && strcmp(words[1], "cpuset") == 0) {
    set_cpuset(words[2]);
  } else {
    fputs("usage: confine mask|cpuset CPUS COMMAND...\n", stderr);
    return 125;
  }
  execvp(words[3], words + 3);
  fail(words[3]);
}
