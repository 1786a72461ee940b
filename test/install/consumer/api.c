/* The installed headers are C. */
#include <vicino/vicino.h>

const char* version_of_headers(void);
const char* version_of_headers(void) { return VICINO_VERSION; }

const char* version_of_library(void);
const char* version_of_library(void) { return vicino_version(); }
