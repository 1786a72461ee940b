/* lend.h: a rank that waits lends its cores to the other ranks of its job on this machine, for C and
 * C++.
 *
 * With VICINO_LEND=true and ranks that a launcher of MPI programs has started, the parallel regions of
 * a rank have a thread on each core that another rank lends. The PMPI layer that vicino run loads lends
 * while MPI calls wait. A program that waits in another way does it by itself:
 *
 *     int has_come(void* request) { ...; return flag; }
 *     ...
 *     if (!vicino_lend_until(has_come, &request, "halo"))
 *         wait_by_other_means(&request);
 *
 * or, if it knows that the wait is long:
 *
 *     vicino_lend();
 *     while (!has_come(&request)) usleep(50);
 *     vicino_reclaim();
 *
 * The thread has to sleep meanwhile, for it is on one of the cores that it lends.
 * Without VICINO_LEND the functions do nothing. */
#ifndef VICINO_LEND_H
#define VICINO_LEND_H

#ifdef __cplusplus
extern "C" {
#endif

/* Lends all cores of the process's share, and gives back all that it has borrowed. Returns how many
 * cores it lends; 0 if it lends none, because
 *   - VICINO_LEND is not true, or something else keeps it off (VICINO_EXPLAIN=true says what);
 *   - the caller is not the thread that used OpenMP first, or is in a parallel region of several
 *     threads;
 *   - other threads of the program use OpenMP, too;
 *   - all its cores are other ranks' cores as well, for there are more ranks than cores.
 * A second call without vicino_reclaim() in between changes nothing. Takes about a microsecond. */
int vicino_lend(void);

/* The cores are the process's own again. It does not wait for others: the thread of a rank that
 * has borrowed one of them is moved away. A parallel region of several
 * threads does the same. Without effect if nothing is lent. */
void vicino_reclaim(void);

/* Waits until done(argument) returns another value than 0, and lends meanwhile. It polls for a while,
 * then lends and sleeps between the calls of `done`, for 1/32 of the time that it has waited, but at
 * most a millisecond; then it reclaims. `where` is any pointer that stands for a place in the program:
 * where waits were short lately, it polls for longer before it lends. Returns 1 then. Returns 0 at
 * once, without calling `done`, where vicino_lend() would lend nothing. */
int vicino_lend_until(int (*done)(void*), void* argument, const void* where);

#ifdef __cplusplus
}
#endif

#endif
