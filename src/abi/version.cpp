// version.cpp: the one symbol that tells Vicino from the runtimes whose names it bears.
#include "abi/api.hpp"

VICINO_API const char* vicino_version() { return VICINO_VERSION; }
