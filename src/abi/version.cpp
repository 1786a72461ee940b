// version.cpp: the one symbol by which Vicino differs from the runtimes whose names it uses.
#include "abi/api.hpp"
#include "base/version.hpp"

VICINO_API const char* vicino_version() { return vicino::version(); }
