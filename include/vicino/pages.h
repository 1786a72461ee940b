/* pages.h: on which memory nodes the pages of an array are, for C and C++.
 *
 * The kernel gives a page to the node of the thread that first writes it. Say something else here
 * when the thread that fills an array is not the one that works on it:
 *
 *     double* a;
 *     vicino_pages_alloc(n * sizeof *a, (void**)&a);    fresh pages, on no node yet
 *     vicino_pages_spread(a, n * sizeof *a);            like a static loop over a
 *     read_file(a, n);                                  whoever writes them
 *     ...
 *     vicino_pages_free(a, n * sizeof *a);
 *
 * Units: sizes are bytes, of any number and at any address. Only whole pages have a node, so a
 * placement concerns the whole pages inside [start, start + bytes): nothing else in the first and
 * the last page is touched, and a range without a whole page is no error. Nodes are the kernel's
 * numbers, as in `numactl --hardware`.
 *
 * A placement is a preference: when a node is full its neighbours help. It holds for pages that
 * come later and for those that are there (which are copied, so it is no small matter). It stays
 * with the addresses until they are unmapped: what malloc gave may be given out again after free(),
 * with it.
 *
 * Every function may be called from any thread, before or inside a parallel region, by several at
 * a time for ranges that share no page. All but vicino_pages_count return 0 or an errno value, and
 * none sets errno:
 *
 *   EINVAL          a node that has no memory for this process; a range beyond the last address
 *   EFAULT          part of the range is not mapped; what is before it may have been placed
 *   ENOMEM          no memory, or too many placements: the kernel keeps some 65,000 per process
 *   ENOTSUP         nothing is known of this machine's memory, or VICINO_MACHINE names another
 *   ENOSYS, EPERM   not to be had: the kernel is without it, or a container's filter forbids it
 *
 * After any of them the memory is as usable as before; it is only not placed. So a program may
 * ignore what the functions that place return. */
#ifndef VICINO_PAGES_H
#define VICINO_PAGES_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* *memory: fresh pages, all zero, on no node yet. With 0 bytes it is NULL, as after an error. */
int vicino_pages_alloc(size_t bytes, void** memory);

/* What vicino_pages_alloc gave, with the same size. NULL with 0 bytes is nothing to do. */
int vicino_pages_free(void* memory, size_t bytes);

/* In blocks, as a static loop without a chunk over the array would touch it, run by one thread on
 * each place (OMP_PLACES; by default every core). A place whose node has no memory has its block on
 * the nearest node with some. With one node nothing changes. */
int vicino_pages_spread(void* start, size_t bytes);

/* Page after page around all nodes of plain memory (not high-bandwidth or the like): for what all
 * threads read alike. Where the kernel uses pages of 2 MiB by itself, those take turns. */
int vicino_pages_interleave(void* start, size_t bytes);

/* To one node. */
int vicino_pages_bind(void* start, size_t bytes, int node);

/* Moves what is there now to a node, and leaves no placement behind: pages that come later go where
 * they would have gone. *on_node, unless it is NULL, gets how many whole pages are on the node
 * afterwards. EBUSY: some are still elsewhere, since another process has them too (after fork), a
 * device uses them, or the node is full. Several threads may share the work, each with whole
 * pages of the array. */
int vicino_pages_move(void* start, size_t bytes, int node, size_t* on_node);

/* How many pages hold at least a byte of [start, start + bytes). */
size_t vicino_pages_count(const void* start, size_t bytes);

/* nodes[i]: the node of the i-th of these pages; -1 if it is not there, since nobody touched it or
 * it is not mapped. ERANGE: `length`, of nodes, is less than vicino_pages_count. */
int vicino_pages_query(const void* start, size_t bytes, int* nodes, size_t length);

#ifdef __cplusplus
}
#endif

#endif
