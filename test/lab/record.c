// record.c: prints the machine as hwloc's XML, without the CPUs that this process may not use, as
// `lstopo --restrict binding` does.
#include <hwloc.h>
#include <stdio.h>

int main(void) {
  hwloc_topology_t topology;
  char* xml;
  int length;
  if (hwloc_topology_init(&topology) != 0 ||
      hwloc_topology_set_flags(topology, HWLOC_TOPOLOGY_FLAG_IS_THISSYSTEM |
                                             HWLOC_TOPOLOGY_FLAG_RESTRICT_TO_CPUBINDING) != 0 ||
      hwloc_topology_load(topology) != 0 ||
      hwloc_topology_export_xmlbuffer(topology, &xml, &length, 0) != 0) {
    perror("record");
    return 1;
  }
  fputs(xml, stdout);
  hwloc_free_xmlbuffer(topology, xml);
  hwloc_topology_destroy(topology);
  return 0;
}
