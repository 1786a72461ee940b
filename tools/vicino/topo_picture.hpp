// topo_picture.hpp: a machine as a drawing, with the threads of a team on it.
#pragma once

#include <string>
#include <vector>

#include "topo/bind.hpp"
#include "topo/machine.hpp"
#include "topo/places.hpp"

namespace vicino::cli {

// Where each thread of a default team may run: its place, if threads are bound to places; its node or cache group, if
// nobody has said how they are bound; else wherever the process may.
std::vector<CpuSet> cpus_of_team(const topo::Machine& machine, const topo::PlaceList& places,
                                 const std::vector<topo::Bind>& bind);

// A file of SVG that needs no other, in light and dark colours. Boxes are packages, nodes, cache groups, cores and
// CPUs, each inside of the smallest one around it; a circle is a thread, in the smallest box that has all its CPUs.
std::string machine_as_svg(const topo::Machine& machine, const std::vector<CpuSet>& team);

}  // namespace vicino::cli
