// interleaved.hpp: pages that take turns between nodes, as `numactl --interleave=all` has them.
#pragma once
#include <linux/mempolicy.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>

namespace bench {

// Further pages of this process take turns between the nodes that have memory.
inline void interleave_all() {
  std::ifstream file("/sys/devices/system/node/has_memory");
  unsigned long nodes = 0;
  for (int first = 0, last = 0; file >> first; file.get()) {
    last = first;
    if (file.peek() == '-') file.get(), file >> last;
    for (int node = first; node <= last; ++node) nodes |= 1ul << node;
  }
  if (syscall(SYS_set_mempolicy, MPOL_INTERLEAVE, &nodes, 8 * sizeof nodes) == 0) return;
  std::fprintf(stderr, "refused: set_mempolicy: %s\n", std::strerror(errno));
  std::exit(1);
}

}  // namespace bench
