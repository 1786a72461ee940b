// describe.hpp: a picture of the machine as text, for `vicino topo` and for bug reports.
#pragma once

#include <string>

#include "topo/machine.hpp"

namespace vicino::topo {

std::string describe(const Machine& machine);

}  // namespace vicino::topo
