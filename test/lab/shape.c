// shape.c: prints the machine as hwloc and the kernel describe it to a program, one fact a line.
//
//   online CPUS | possible CPUS | package CPUS | die CPUS | l3 CPUS
//   node N cpus CPUS memory 0|1
//   distance N M VALUE
#include <hwloc.h>
#include <hwloc/distances.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void print_sysfs(const char* name) {
  char path[64], text[256] = "";
  snprintf(path, sizeof path, "/sys/devices/system/cpu/%s", name);
  FILE* file = fopen(path, "r");
  if (file == NULL || fgets(text, sizeof text, file) == NULL) exit(1);
  fclose(file);
  text[strcspn(text, "\n")] = 0;
  printf("%s %s\n", name, text);
}

static const char* cpus(hwloc_const_cpuset_t set) {
  static char text[256];
  hwloc_bitmap_list_snprintf(text, sizeof text, set);
  return text;
}

static void print_all(hwloc_topology_t topology, hwloc_obj_type_t type, const char* name) {
  for (hwloc_obj_t o = NULL; (o = hwloc_get_next_obj_by_type(topology, type, o)) != NULL;)
    printf("%s %s\n", name, cpus(o->cpuset));
}

static void print_nodes(hwloc_topology_t topology) {
  for (hwloc_obj_t o = NULL;
       (o = hwloc_get_next_obj_by_type(topology, HWLOC_OBJ_NUMANODE, o)) != NULL;)
    printf("node %u cpus %s memory %d\n", o->os_index, cpus(o->cpuset),
           o->attr->numanode.local_memory > 0);
}

static void print_distances(hwloc_topology_t topology) {
  struct hwloc_distances_s* found = NULL;
  unsigned count = 1;
  if (hwloc_distances_get_by_name(topology, "NUMALatency", &count, &found, 0) != 0 || count == 0)
    return;
  for (unsigned from = 0; from < found->nbobjs; from++)
    for (unsigned to = 0; to < found->nbobjs; to++)
      printf("distance %u %u %lu\n", found->objs[from]->os_index, found->objs[to]->os_index,
             (unsigned long)found->values[from * found->nbobjs + to]);
}

int main(void) {
  hwloc_topology_t topology;
  if (hwloc_topology_init(&topology) != 0 || hwloc_topology_load(topology) != 0) return 1;
  print_sysfs("online");
  print_sysfs("possible");
  print_all(topology, HWLOC_OBJ_PACKAGE, "package");
  print_all(topology, HWLOC_OBJ_DIE, "die");
  print_all(topology, HWLOC_OBJ_L3CACHE, "l3");
  print_nodes(topology);
  print_distances(topology);
  hwloc_topology_destroy(topology);
  return 0;
}
