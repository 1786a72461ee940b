// sysfs_kinds.hpp: the kinds of cores, where a machine has several.
//
// How    By the strongest sign that the machine gives: Intel's lists of its two sorts of cores, and
//        within them the capacity that the kernel's scheduler uses (Arm), or the base frequency, or
//        the maximum frequency. Frequencies that differ by less than a tenth are one kind: a core
//        that may be clocked a little higher than its neighbours is not another sort.
#pragma once

#include <vector>

#include "topo/cpu_groups.hpp"
#include "topo/sysfs_folder.hpp"

namespace vicino::topo {

// The kind of each core: 0 is the least powerful. Only cores with a CPU of `cpus` count.
std::vector<int> read_kinds(const Folder& folder, const std::string& root, const CpuSet& cpus,
                            const CpuGroups& cores);

}  // namespace vicino::topo
