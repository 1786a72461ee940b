/* vicino.h: Vicino's own functions, for C and C++.
 *
 * A program needs none of this to run on Vicino: it is written in OpenMP, with the omp.h of its
 * compiler, and linked with -lvicino or started by `vicino run`.
 *
 * Promised: within one soname (libvicino.so.0) a declaration here keeps its meaning and its binary
 * form; new ones may be added. Functions do not throw, and set no errno.
 */
#ifndef VICINO_VICINO_H
#define VICINO_VICINO_H

#include <vicino/loop.h>
#include <vicino/pages.h>
#include <vicino/version.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The version of the library that is loaded, "MAJOR.MINOR.PATCH".
 *
 * It differs from VICINO_VERSION when the program was compiled against other headers. The string
 * lives as long as the process, and the call starts no runtime: it may come before the first
 * parallel region, from any thread, and from a constructor.
 *
 * To ask whether a program runs on Vicino without linking it: dlsym(RTLD_DEFAULT, "vicino_version"). */
const char* vicino_version(void);

#ifdef __cplusplus
}
#endif

#endif
