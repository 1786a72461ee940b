/* vicino.h: Vicino's own functions, for C and C++.
 *
 * A program does not need these functions to run on Vicino: it is written in OpenMP, with the omp.h
 * of its compiler, and linked with -lvicino or started by `vicino run`.
 *
 * Promised: within one soname (libvicino.so.0) a declaration of these headers keeps its meaning and
 * its binary form; new ones may be added. Functions do not throw, and set no errno.
 */
#ifndef VICINO_VICINO_H
#define VICINO_VICINO_H

#include <vicino/graph.h>
#include <vicino/loop.h>
#include <vicino/lend.h>
#include <vicino/pages.h>
#include <vicino/region.h>
#include <vicino/slack.h>
#include <vicino/version.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The version of the library that is loaded and the commit that it was built from,
 * "MAJOR.MINOR.PATCH+gCOMMIT"; "MAJOR.MINOR.PATCH+unknown" if its sources came without their commit.
 *
 * What stands before the plus differs from VICINO_VERSION if the program was compiled with headers of
 * another version. The string lives as long as the process. The call starts no runtime: it may come before the first
 * parallel region, from any thread, and from a constructor.
 *
 * To ask whether a program runs on Vicino without linking it: dlsym(RTLD_DEFAULT,
 * "vicino_version"). */
const char* vicino_version(void);

#ifdef __cplusplus
}
#endif

#endif
