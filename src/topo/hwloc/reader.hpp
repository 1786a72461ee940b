// reader.hpp: with module.cpp, the only files that use hwloc. libvicino.so contains none of them.
#pragma once

#include <memory>
#include <string>

#include "topo/machine.hpp"

struct hwloc_topology;

namespace vicino::topo {

struct CloseTopology {
  void operator()(hwloc_topology* topology) const noexcept;
};
using Topology = std::unique_ptr<hwloc_topology, CloseTopology>;

// Loads the machine that runs this process, or a recorded one; null if hwloc cannot load it.
Topology load_topology();
Topology load_topology(const std::string& xml_path);

// False for recorded machines, unless hwloc's own variable HWLOC_THISSYSTEM says otherwise.
bool is_this_system(hwloc_topology* topology);

// The part of `topology` that `allowed` leaves; an error if nothing is left.
Result<Hardware> read_hardware(hwloc_topology* topology, const CpuSet& allowed);

// All CPUs that the topology allows.
CpuSet allowed_cpus(hwloc_topology* topology);

// The machine that the file records. If hwloc nevertheless takes it for this machine
// (HWLOC_THISSYSTEM), the part that `own` leaves.
Result<Hardware> read_xml(const std::string& path, const CpuSet& own);

// A machine that counts as a recorded one, whatever the topology is.
Result<Machine> machine_of(hwloc_topology* topology, const CpuSet& allowed);

}  // namespace vicino::topo
