// version.cpp: the one symbol that tells Vicino from the runtimes whose names it bears.
#include "abi/versioned_symbol.hpp"

extern "C" VICINO_EXPORT const char* vicino_version() { return VICINO_VERSION; }
