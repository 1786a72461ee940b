// identity.hpp: whether two machines are alike as far as scheduling can tell.
//
// Why    What was learnt on one machine is kept for it (tune/profile.hpp), and must be found by the
//        next process there, whichever CPUs of the same shape it got.
// What   the CPU's name, the structure of the usable hardware threads, the distances of nodes, and
//        whether the machine is a recorded one. Not the kernel's numbers, nor sizes of memory.
#pragma once

#include <string>

#include "topo/machine.hpp"

namespace vicino::topo {

// 16 hexadecimal digits.
std::string identity(const Machine& machine);

}  // namespace vicino::topo
