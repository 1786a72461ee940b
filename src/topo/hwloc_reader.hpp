// hwloc_reader.hpp: the only file, with its .cpp, that speaks hwloc.
#pragma once

#include <memory>
#include <string>

#include "topo/machine.hpp"

namespace vicino::topo {

struct CloseTopology {
  void operator()(hwloc_topology* topology) const noexcept;
};
using Topology = std::unique_ptr<hwloc_topology, CloseTopology>;

// The machine below, or a recorded one; null if hwloc cannot load it.
Topology load_topology();
Topology load_topology(const std::string& xml_path);

// False for recorded machines, and when hwloc's own variables (HWLOC_XMLFILE) replace the machine.
bool is_this_system(hwloc_topology* topology);

// The part of `topology` that `allowed` leaves. An error if that is nothing.
Result<Hardware> read_hardware(hwloc_topology* topology, const CpuSet& allowed);

// Every CPU that the topology allows.
CpuSet allowed_cpus(hwloc_topology* topology);

}  // namespace vicino::topo
