/* version.h: the version of the headers. The build reads it from this file, its only place. */
#ifndef VICINO_VERSION_H
#define VICINO_VERSION_H

/* The parts of the version, and the whole as a text. */
#define VICINO_VERSION_MAJOR 0
#define VICINO_VERSION_MINOR 1
#define VICINO_VERSION_PATCH 0
#define VICINO_VERSION "0.1.0"

#endif
