/* region.h: names for parts of a program, for C and C++; region.f90 is the same for Fortran, and docs/reference/python.md has Python's.
 *
 * A trace of the program (`vicino run --trace`) shows these parts by their names, as spans of the threads that call:
 *
 *     vicino_region_begin("assemble");
 *     assemble(matrix);
 *     vicino_region_end("assemble");
 *
 * They need not be parallel regions; a part may lie in another one. Without a trace a call costs a test of one word.
 */
#ifndef VICINO_REGION_H
#define VICINO_REGION_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The calling thread begins the part of this name, and ends it. The text is copied. Each part ends on the thread on
 * which it has begun, and before the part that it lies in; an end without a beginning does nothing. The calls may come
 * from any thread, also inside of parallel regions and tasks that are tied. */
void vicino_region_begin(const char* name);
void vicino_region_end(const char* name);

/* The same for a function that waits for other processes: the thread does nothing for the program meanwhile. `function`:
 * its name, a text that lives as long as the process; `where`: an address in the code that calls it, or NULL; `bytes`:
 * how many it has sent or received. `vicino run` puts the calls of an MPI program into the trace without this. */
void vicino_communication_begin(const char* function, const void* where);
void vicino_communication_end(uint64_t bytes);

#ifdef __cplusplus
}
#endif

#endif
