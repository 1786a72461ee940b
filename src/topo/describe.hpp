// describe.hpp: a picture of the machine as text, for `vicino topo` and for bug reports.
#pragma once

#include <string>

#include "topo/machine.hpp"

namespace vicino::topo {

std::string describe(const Machine& machine);

// "2 packages, 2 nodes, 2 cache groups, 8 cores, 8 hardware threads"
std::string counts_of(const Machine& machine);

}  // namespace vicino::topo
