// near.hpp: the nodes that a team's threads belong to where nobody has said how threads are bound.
//
// Why    A thread that always runs on the same node finds its data there, and a member's number says
//        which part of the data is its own. A thread that the kernel may put on any node does not.
//        But a thread that is tied to one CPU waits for that CPU while others are idle. A node is the
//        middle: all its CPUs are equally near to its memory, and the kernel balances among them.
// Rule   Nodes are taken in order of distance from the first one. A team of no more members than
//        there are cores fills them one after the other, with a member for each core. A larger team
//        is divided in proportion to the nodes' hardware threads. So neighbours in number are on the
//        same node or on the next one.
#pragma once

#include <vector>

#include "topo/machine.hpp"

namespace vicino::topo {

// The node of each member, an index of domains. Only nodes with some of `cpus` are used, and `cpus`
// must hold a CPU of the machine. Of these nodes the one nearest to `first` comes first; `first` is
// nearest to itself.
std::vector<int> nodes_near(const Machine& machine, const CpuSet& cpus, int first, int members);

}  // namespace vicino::topo
