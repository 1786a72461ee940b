/* pages.h: on which memory nodes the pages of an array are, for C and C++.
 *
 * The kernel gives a page to the node of the thread that first writes it. These functions place
 * pages elsewhere, for arrays that one thread fills and other threads work on:
 *
 *     double* a;
 *     vicino_pages_alloc(n * sizeof *a, (void**)&a);    fresh pages, on no node yet
 *     vicino_pages_spread(a, n * sizeof *a);            like a static loop over a
 *     read_file(a, n);                                  any thread may write them
 *     ...
 *     vicino_pages_free(a, n * sizeof *a);
 *
 * Units: sizes are in bytes; any number and any address is allowed. Only whole pages have a node,
 * so a placement concerns the whole pages inside [start, start + bytes): a page that is only partly
 * in the range is not touched, and a range without a whole page is no error. Nodes are the kernel's
 * numbers, as in `numactl --hardware`.
 *
 * A placement is a preference: when a node is full its neighbours give memory. It holds for pages
 * that come later and for pages that exist already (the kernel copies those, which takes time). It
 * stays with the addresses until they are unmapped: after free() malloc may give out the same
 * memory again, with its placement.
 *
 * Every function may be called from any thread, before or inside a parallel region, and by several
 * threads at a time for ranges that share no page. All but vicino_pages_count return 0 or an errno
 * value, and none sets errno:
 *
 *   EINVAL          a node that has no memory for this process; a range beyond the last address
 *   EFAULT          part of the range is not mapped; what is before it may have been placed
 *   ENOMEM          no memory, or too many placements: the kernel keeps some 65,000 per process
 *   ENOTSUP         nothing is known of this machine's memory, or VICINO_MACHINE names another
 *   ENOSYS, EPERM   not available: the kernel does not have it, or a container's filter forbids it
 *
 * After any of these errors the memory is as usable as before; it is only not placed. So a program
 * may ignore what the functions that place return. */
#ifndef VICINO_PAGES_H
#define VICINO_PAGES_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Sets *memory to fresh pages, all zero, on no node yet. With 0 bytes it is NULL, as after an
 * error. */
int vicino_pages_alloc(size_t bytes, void** memory);

/* Frees what vicino_pages_alloc gave, with the same size. NULL with 0 bytes does nothing. */
int vicino_pages_free(void* memory, size_t bytes);

/* Places the pages in blocks, as a static loop without a chunk over the array would touch them. The
 * loop is thought to be run by one thread on each place (OMP_PLACES; by default every core). Where
 * nothing says how threads are bound, it is run by a team of the default size that the calling
 * thread leads. If a block's node has no memory, the block goes to the nearest node that has some.
 * With one node nothing changes. */
int vicino_pages_spread(void* start, size_t bytes);

/* Places page after page around all nodes of plain memory (not high-bandwidth or the like): for
 * data that all threads read alike. Where the kernel uses pages of 2 MiB by itself, these take
 * turns. */
int vicino_pages_interleave(void* start, size_t bytes);

/* Places the pages on one node. */
int vicino_pages_bind(void* start, size_t bytes, int node);

/* Moves the pages that exist now to a node, and leaves no placement behind: pages that come later
 * go where they would have gone without the call. *on_node, unless it is NULL, gets the number of
 * whole pages that are on the node afterwards; memory that is not mapped has none. EBUSY: some
 * pages are still elsewhere, since another process has them too (after fork), a device uses them,
 * or the node is full. Several threads may share the work, each with whole pages of the array. */
int vicino_pages_move(void* start, size_t bytes, int node, size_t* on_node);

/* How many pages hold at least a byte of [start, start + bytes). */
size_t vicino_pages_count(const void* start, size_t bytes);

/* Sets nodes[i] to the node of the i-th of these pages; -1 if the page does not exist, since no
 * thread has touched it or it is not mapped. ERANGE: `length`, the length of `nodes`, is less than
 * vicino_pages_count. */
int vicino_pages_query(const void* start, size_t bytes, int* nodes, size_t length);

#ifdef __cplusplus
}
#endif

#endif
