// pages.hpp: on which nodes the pages of an array are.
//
// Why    The kernel gives a page to the node of the thread that first writes it. Where another
//        thread works on it later, the array's owner has to say so.
// Cost   a system call for each run of pages that go to one node; a page that is moved is copied.
// Not    for small objects: only whole pages have a node.
//
// A placement is a preference: a full node gives way to its neighbours. Insisting (MPOL_BIND) would
// have the kernel kill the process for want of memory that is free elsewhere.
//
// The kernel is called without hwloc in between. hwloc has no call that moves pages without leaving
// a policy behind, nor one that tells the node of each page; its other calls need a topology held
// open for the whole run, which Machine gives back once it is read, and which a set-user-id program
// may not load at all. What is left of hwloc's part is a bit mask.
//
// Nodes are the kernel's numbers, as numactl's. All functions but those that return a list return
// 0 or an errno value, and leave errno alone:
//  EINVAL   a node that has no memory for this process, a range beyond the end of the address space
//  EFAULT   part of the range is not mapped; what is before it may have been placed
//  ENOTSUP  nothing is known of this machine's memory, or a recorded machine stands in for it
//  ENOSYS, EPERM  the kernel, or a container's filter, does not let memory be placed. With a single
//           node spread(), interleave() and bind_pages() succeed all the same: all pages are there.
// and others as the kernel gives them. The pages stay usable in any case.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "topo/machine.hpp"

namespace vicino::topo {

// Nodes whose memory this process may use, ascending. Empty if that is not known.
std::vector<int> memory_nodes(const Machine& machine);

// The node for pages of each of as many equal parts of an array as there are places: the place's
// own, or, if that has no memory, the nearest that has. If any place has CPUs of several nodes
// there is a part for each CPU, place by place and in it node by node. `nodes` are those that may
// be used; memory of a special sort is taken only by a node that has no other.
std::vector<int> owners(const Machine& machine, std::span<const CpuSet> places,
                        std::span<const int> nodes);

// Whole pages that go to one node.
struct PageRun {
  uintptr_t begin;
  uintptr_t end;
  int node;
  friend bool operator==(const PageRun&, const PageRun&) = default;
};

// The whole pages inside [begin, end), cut where a static loop over it would be cut: part i of n is
// [begin + i * (end - begin) / n, ...). A page goes to the part that has most of it. Neighbours for
// the same node are one run.
std::vector<PageRun> cut(uintptr_t begin, uintptr_t end, size_t page, std::span<const int> owners);

// For the kernel: as many words as the highest node needs.
std::vector<unsigned long> node_mask(std::span<const int> nodes);

// Fresh pages of zeros on no node yet. 0 bytes are the null pointer.
int allocate_pages(size_t bytes, void** memory) noexcept;
int free_pages(void* memory, size_t bytes) noexcept;

// Each sends the whole pages inside [start, start + bytes) where they belong: those that are not
// there yet when they come, those that are there now. No whole page: nothing is done.
int spread(const Machine& machine, std::span<const CpuSet> places, void* start, size_t bytes);
int interleave(const Machine& machine, void* start, size_t bytes);  // over all plain memory
int bind_pages(const Machine& machine, void* start, size_t bytes, int node);

// Moves the whole pages that are there now, and says nothing about the others. `on_node` are the
// pages on that node afterwards. EBUSY: some are still elsewhere, because another process has them
// too, or a device, or the node is full.
int move_pages(const Machine& machine, void* start, size_t bytes, int node, size_t* on_node);

// Pages of which [start, start + bytes) has at least a byte; 0 beyond the end of the address space.
size_t page_count(const void* start, size_t bytes) noexcept;

// The node of each of these pages; -1: none is there, since nobody touched it or it is not mapped.
// ERANGE: nodes.size() is less than page_count().
int query_pages(const void* start, size_t bytes, std::span<int> nodes) noexcept;

// The node, as an index of domains, whose threads are nearest to that memory node; -1: it is none
// of the machine's, or no thread is near it.
int domain_of_memory(const Machine& machine, int node) noexcept;
// The same for the page with this address; -1 also if no page is there, or none can be, as on a
// recorded machine.
int domain_of_page(const Machine& machine, const void* address) noexcept;

}  // namespace vicino::topo
