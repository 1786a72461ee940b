// confine.c: runs a command that may use only some of the CPUs, or only some nodes' memory, each in one of two ways.
//
//   confine mask CPUS COMMAND...      by its affinity mask, as taskset and job managers set it
//   confine cpuset CPUS COMMAND...    by a control group's cpuset, as containers do
//   confine policy NODES COMMAND...   by the memory policy, as numactl --membind sets it
//   confine mems NODES COMMAND...     by a control group's cpuset
//
// CPUS is a list as the kernel writes it: 0-3,8, and so is NODES. Run it only in a guest, because it mounts cgroup2.
#define _GNU_SOURCE
#include <errno.h>
#include <linux/mempolicy.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
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

static void set_policy(const char* list) {
  cpu_set_t nodes;
  if (!parse_cpus(list, &nodes)) {
    errno = EINVAL;
    fail(list);
  }
  if (syscall(SYS_set_mempolicy, MPOL_BIND, &nodes, 8 * sizeof nodes) != 0) fail(list);
}

// `file` is cpuset.cpus or cpuset.mems. Each has a group of its own, which a later command finds as it was.
static void set_cpuset(const char* file, const char* list) {
  char group[128], path[256];
  snprintf(group, sizeof group, GROUPS "/confined.%s", file);
  if (mount("cgroup2", GROUPS, "cgroup2", 0, NULL) != 0 && errno != EBUSY) fail(GROUPS);
  write_to(GROUPS "/cgroup.subtree_control", "+cpuset");
  if (mkdir(group, 0755) != 0 && errno != EEXIST) fail(group);
  snprintf(path, sizeof path, "%s/%s", group, file);
  write_to(path, list);
  snprintf(path, sizeof path, "%s/cgroup.procs", group);
  write_to(path, "0");
}

int main(int count, char** words) {
  if (count >= 4 && strcmp(words[1], "mask") == 0) {
    set_mask(words[2]);
  } else if (count >= 4 && strcmp(words[1], "cpuset") == 0) {
    set_cpuset("cpuset.cpus", words[2]);
  } else if (count >= 4 && strcmp(words[1], "mems") == 0) {
    set_cpuset("cpuset.mems", words[2]);
  } else if (count >= 4 && strcmp(words[1], "policy") == 0) {
    set_policy(words[2]);
  } else {
    fputs("usage: confine mask|cpuset CPUS COMMAND..., or policy|mems NODES COMMAND...\n", stderr);
    return 125;
  }
  execvp(words[3], words + 3);
  fail(words[3]);
}
