// test: uses clang -fopenmp-version=51 -DHAS_INOUTSET
// gcc 12 does not know inoutset.
#include "depend_types.c"
