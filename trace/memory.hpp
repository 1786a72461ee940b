// memory.hpp: how much of the process's own memory is on which node.
//
// How    The kernel tells it of each mapping (/proc/self/numa_maps), for which it goes through the page tables: about a
//        millisecond for each gigabyte.
// Not    for files, shared memory and stacks.
#pragma once

#include <cstdint>
#include <map>
#include <string_view>

namespace vicino::trace {

// By the kernel's number of the node; nodes without memory of the process are left out.
using BytesByNode = std::map<int, uint64_t>;

// Of what malloc() and mmap() gave and of variables, as numa_maps has it.
BytesByNode bytes_by_node(std::string_view numa_maps);

}  // namespace vicino::trace
