// cpus.h: sets of CPUs for the programs of this folder: as the kernel writes them, and printed.
#ifndef CPUS_H
#define CPUS_H
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>

// "0-3,8". 0 if `list` is none.
static inline int parse_cpus(const char* list, cpu_set_t* set) {
  CPU_ZERO(set);
  while (*list != 0) {
    char* end;
    const long first = strtol(list, &end, 10);
    const long last = *end == '-' ? strtol(end + 1, &end, 10) : first;
    if (end == list || (*end != 0 && *end != ',')) return 0;
    for (long cpu = first; cpu <= last; ++cpu) CPU_SET(cpu, set);
    list = *end == ',' ? end + 1 : end;
  }
  return 1;
}

// "0,1,2,3,8"
static inline void print_cpus(const cpu_set_t* set) {
  const char* comma = "";
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
    if (!CPU_ISSET(cpu, set)) continue;
    printf("%s%d", comma, cpu);
    comma = ",";
  }
}

#endif
