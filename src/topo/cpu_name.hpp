// cpu_name.hpp: what the CPU calls itself, for people and for topo::identity().
//
// Why    /proc/cpuinfo has the name, but when it is opened, some kernels ask all CPUs for their
//        present clock rate and wait for the answers. On x86 the kernel has the name from the
//        instruction CPUID. On Arm the kernel has only numbers of the vendor and the product, which it
//        also shows as those of each CPU; the names of usual servers are here.
#pragma once

#include <string>

namespace vicino::topo {

// The name as /proc/cpuinfo writes it; "" if there is none. A `root`, for tests, means that the
// name comes from its /proc/cpuinfo.
std::string cpu_name(const std::string& root = "");

}  // namespace vicino::topo
