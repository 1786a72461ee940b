// sysfs_reader.hpp: the machine that runs this process, as Linux shows it in /sys.
//
// Why    hwloc reads the same files and many more into a tree of objects, of which this runtime
//        keeps six levels, and it loads its plugins to do so: that costs milliseconds in each
//        process that has a region. test/unit/topo_sysfs_test.cpp compares this reader with hwloc's
//        answers.
// Cost   two or three files for each usable core, one or two for each cache, die and package, three
//        for each node; a file takes three microseconds. A CPU that this process may not use is not
//        read, unless it shares something with a usable one.
// Odd    Data that are missing or contradict the rest are left out without a message: a CPU without
//        a description is a core of its own, and a level whose sets overlap those of another is
//        ignored. Without /sys only the CPUs' numbers are known.
#pragma once

#include <string>

#include "topo/machine.hpp"

namespace vicino::topo {

// Reads the part that `allowed` leaves, without the quota. `root` is put before every path, for
// tests.
Hardware read_sysfs(const CpuSet& allowed, const std::string& root = "");

}  // namespace vicino::topo
