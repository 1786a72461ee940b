// four_cores.hpp: the smallest machine with several caches, or with cores of several kinds.
#pragma once

#include <utility>
#include <vector>

#include "topo/machine.hpp"

namespace vicino::topo {

// A node of four cores, the cache group and kind of each as given.
inline Machine four_cores(const std::vector<int>& groups,
                          const std::vector<int>& kinds = {0, 0, 0, 0}) {
  Hardware hardware{.name = "",
                    .pus = {},
                    .node_os = {0},
                    .package_os = {0},
                    .memories = {},
                    .latencies = {},
                    .online = CpuSet::range(0, 4)};
  for (int i = 0; i < 4; ++i)
    hardware.pus.push_back({.os_index = i,
                            .core = i,
                            .cache_group = groups[static_cast<size_t>(i)],
                            .node = 0,
                            .package = 0,
                            .kind = kinds[static_cast<size_t>(i)]});
  return Machine(std::move(hardware));
}

}  // namespace vicino::topo
