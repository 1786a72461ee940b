/* slack.h: how long a process waits for others, for C and C++.
 *
 * A loop with the schedule `mixed,f=slack` (or mixed_variable, staggered, vsched) has a large static
 * part in a process that would only wait for others, and a small one in a process that others wait
 * for. Under `vicino run` an MPI program need not call anything: the time that it waits inside MPI
 * is taken. A program that communicates in another way tells it here:
 *
 *     double t = now();
 *     receive_from_neighbours();
 *     vicino_slack_add((uint64_t)((now() - t) * 1e9));
 */
#ifndef VICINO_SLACK_H
#define VICINO_SLACK_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The calling thread has waited for other processes, for `ns` nanoseconds.
 *
 * Call it after each wait, also with 0 if the others were there first: that tells the loop that this
 * process has no slack. The wait counts for the last loop with f=slack that the thread has run with
 * its team, and waits between two executions of the loop are added up. In a parallel region it
 * counts for the team's primary thread. Without such a loop nothing happens. The call starts no
 * runtime, waits for nothing, and may come from any thread. */
void vicino_slack_add(uint64_t ns);

#ifdef __cplusplus
}
#endif

#endif
