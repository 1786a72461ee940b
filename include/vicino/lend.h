/* lend.h: a rank that waits lends its cores to the other ranks of its job on this machine, for C and
 * C++.
 *
 * With VICINO_LEND=true and ranks that a launcher of MPI programs has started, the parallel regions of
 * a rank have a thread on each core that another rank lends. The PMPI layer that vicino run loads lends
 * while MPI calls wait. A program that waits in another way does it by itself:
 *
 *     vicino_lend();
 *     while (!has_come()) usleep(50);
 *     vicino_reclaim();
 *
 * The thread should sleep meanwhile, or poll rarely: it runs on one of the cores that it lends.
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
 *   - other threads of the program use OpenMP, too.
 * A second call without vicino_reclaim() in between changes nothing. Takes about a microsecond. */
int vicino_lend(void);

/* The cores are the process's own again. It never waits: a rank that has a thread on one of them is
 * told to take it away, and does so in well under a millisecond as a rule. A parallel region of several
 * threads does the same. Without effect if nothing is lent. */
void vicino_reclaim(void);

#ifdef __cplusplus
}
#endif

#endif
