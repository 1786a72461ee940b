// identity.hpp: whether two machines are alike as far as scheduling can tell.
//
// Why    What the tuner learned on one machine is kept for that machine (tune/profile.hpp). The
//        next process there must find it again, whichever CPUs of the same shape it got.
// What   the CPU's name, the structure of the usable hardware threads, the distances of nodes, and
//        whether the machine is a recorded one. The kernel's numbers and memory sizes do not count.
#pragma once

#include <string>

#include "topo/machine.hpp"

namespace vicino::topo {

// 16 hexadecimal digits; equal for machines that are alike.
std::string identity(const Machine& machine);

}  // namespace vicino::topo
