// kinds.hpp: whether static loops are cut by the speeds that kinds of cores were seen to have
// (loop/kind_cuts.hpp), and what people are told of it.
//
// When   The machine says that its cores differ (topo/sysfs_kinds.hpp), and VICINO_STATIC is `kinds`, or `auto`
//        and nothing stands against it: cuts that change from region to region move data between NUMA
//        nodes, and they change the order in which a reduction adds up, which a program may have asked
//        to be the same in each run.
#pragma once

#include <string>
#include <vector>

#include "topo/machine.hpp"

namespace vicino::site {

bool cuts_by_kinds(const topo::Machine& machine) noexcept;

// One sentence without a full stop: how static loops are cut on the machine, and why; empty where cores are
// alike.
std::string how_static_loops_are_cut(const topo::Machine& machine);

// What was learnt in this process, as sentences without a full stop.
std::vector<std::string> speeds_of_kinds();

}  // namespace vicino::site
