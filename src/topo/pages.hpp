// pages.hpp: on which nodes the pages of an array are.
//
// Why    The kernel puts a page on the node of the thread that writes it first. If another thread
//        works on it later, the array's owner has to say so.
// Cost   a system call for each run of pages on one node; a page that is moved is copied.
// Not    for small objects: only whole pages have a node.
//
// A placement is a preference: if a node is full, the kernel uses its neighbours. With a strict
// placement (MPOL_BIND) the kernel would kill the process for lack of memory that is free
// elsewhere.
//
// These functions call the kernel without hwloc. hwloc has no call that moves pages without leaving
// a policy behind, nor one that tells the node of each page. Its other calls need a topology that
// stays open for the whole run; Machine closes it after reading, and a set-user-id program may not
// load one at all. hwloc would only contribute a bit mask.
//
// Nodes have the kernel's numbers, as in numactl. All functions except those that return a list
// return 0 or an errno value, and leave errno unchanged:
//  EINVAL   a node has no memory for this process, or a range ends beyond the address space
//  EFAULT   part of the range is not mapped; pages before it may have been placed
//  ENOTSUP  nothing is known of this machine's memory, or a recorded machine stands in for it
//  ENOSYS, EPERM  the kernel, or a container's filter, does not allow placing memory. On a single
//           node spread(), interleave() and bind_pages() succeed nevertheless: all pages are there.
// Other errors are the kernel's. The pages stay usable in any case.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "topo/machine.hpp"

namespace vicino::topo {

// The nodes whose memory this process may use, ascending; empty if unknown.
std::vector<int> memory_nodes(const Machine& machine);

// Whether memory_nodes() may have several. The kernel's answer takes no topology: false if it
// leaves this process one node.
bool may_have_memory_nodes();

// An array is cut into as many equal parts as there are places; returns the node for the pages of
// each part. It is the place's own node, or, if that has no memory, the nearest one that has. If
// any place has CPUs of several nodes there is a part for each CPU, place by place and in it node
// by node. `nodes` are those that may be used; a special sort of memory is used only for a node
// that has no other.
std::vector<int> owners(const Machine& machine, std::span<const CpuSet> places,
                        std::span<const int> nodes);

// Whole pages that belong on one node.
struct PageRun {
  uintptr_t begin;
  uintptr_t end;
  int node;
  friend bool operator==(const PageRun&, const PageRun&) = default;
};

// The whole pages inside [begin, end), cut where a static loop over the array would be cut: part i
// of n is [begin + i * (end - begin) / n, ...). A page goes to the part that has most of it.
// Adjacent parts on the same node are one run.
std::vector<PageRun> cut(uintptr_t begin, uintptr_t end, size_t page, std::span<const int> owners);

// The mask for the kernel has as many words as the highest node needs.
std::vector<unsigned long> node_mask(std::span<const int> nodes);

// Allocates fresh pages of zeros that are on no node yet. For 0 bytes it gives the null pointer.
int allocate_pages(size_t bytes, void** memory) noexcept;
int free_pages(void* memory, size_t bytes) noexcept;
// Pages that are not there yet will lie on the node; -1: where the kernel puts them.
int prefer_node(void* memory, size_t bytes, int node);

// Each function places the whole pages inside [start, start + bytes): a page that does not exist
// yet when it is first touched, an existing page now. Without a whole page nothing is done.
int spread(const Machine& machine, std::span<const CpuSet> places, void* start, size_t bytes);
int interleave(const Machine& machine, void* start, size_t bytes);  // over all plain memory
int interleave(const Machine& machine, std::span<const int> over, void* start, size_t bytes);
int bind_pages(const Machine& machine, void* start, size_t bytes, int node);

// Moves the whole pages that exist now, and sets nothing for the others. `on_node` gets the number
// of pages on that node afterwards. EBUSY: some are still elsewhere, because another process or a
// device also uses them, or because the node is full.
int move_pages(const Machine& machine, void* start, size_t bytes, int node, size_t* on_node);

// The kernel's number of the memory that is nearest to the machine's node with this index, for
// move_pages(); -1 if nothing is known of memory.
int memory_of_node(const Machine& machine, int index);

// In bytes.
size_t page_size() noexcept;

// The number of pages that contain a byte of [start, start + bytes); 0 beyond the end of the
// address space.
size_t page_count(const void* start, size_t bytes) noexcept;

// Stores the node of each of these pages; -1 if there is no page, since no thread has touched it or
// it is not mapped. ERANGE: nodes.size() is less than page_count().
int query_pages(const void* start, size_t bytes, std::span<int> nodes) noexcept;

// As query_pages(), for single pages by their addresses. nodes.size() is at least pages.size().
int nodes_of_pages(std::span<const uintptr_t> pages, std::span<int> nodes) noexcept;
// Moves those pages of the runs that are there and that the kernel moves, each run to its node. Sets
// nothing for the others, and is no error where a page cannot move.
int send_pages(std::span<const PageRun> runs) noexcept;

// The domain, as an index into domains(Level::kNode), whose threads are nearest to that memory
// node; -1 if the node is none of the machine's, or no thread is near it.
int domain_of_memory(const Machine& machine, int node) noexcept;
// Like domain_of_memory(), for the page with this address; -1 also if no page is there, or cannot
// be, as on a recorded machine.
int domain_of_page(const Machine& machine, const void* address) noexcept;

}  // namespace vicino::topo
