// near.hpp: the domains that a team's threads belong to where nobody has said how threads are bound.
//
// Why    A thread that always runs on the same node finds its data there, and a member's number says
//        which part of the data is its own. A thread that the kernel may put on any node does not.
//        But a thread that is tied to one CPU waits for that CPU while others are idle. A node is the
//        middle: all its CPUs are equally near to its memory, and the kernel balances among them.
//        Where a node has several caches of the last level, its CPUs are not equally near to what lies
//        in one of these: then the middle is the group of CPUs that shares such a cache. Machine's
//        near_level() tells which of the two it is.
// Rule   Nodes are taken in order of distance from the first one. A team of no more members than
//        there are cores fills them one after the other, with a member for each core. A larger team
//        is divided in proportion to the nodes' hardware threads. So neighbours in number are on the
//        same node or on the next one.
//        A node's members are divided among its cache groups in proportion to the groups' cores, or
//        hardware threads in a larger team, from the first group on, around the end.
// Not    filled one after the other are cache groups: all of a node are equally near to its memory,
//        while a thread with fewer others beside it has more of the cache and of the cache's link to
//        memory. The kernel spreads threads alike. And the teams of several programs, which all
//        would fill the lowest groups, share the groups evenly.
#pragma once

#include <vector>

#include "topo/machine.hpp"

namespace vicino::topo {

// The domain of each member, an index of domains(level): of Level::kNode or of machine.near_level().
// Only domains with some of `cpus` are used, and `cpus` must hold a CPU of the machine. Of the nodes the
// one nearest to `first`, a domain of the level, comes first, and in it `first` itself if it is used.
std::vector<int> domains_near(const Machine& machine, Level level, const CpuSet& cpus, int first,
                              int members);

// How many of the machine's cores have a CPU in the set.
int cores_in(const Machine& machine, const CpuSet& cpus);

// Those of `cpus` on which a member of that domain runs. A thread is kept on no single core: where no more
// than one of a cache group's cores is left, all of `cpus` in the node stand for the group.
CpuSet cpus_near(const Machine& machine, Level level, int domain, const CpuSet& cpus);

}  // namespace vicino::topo
