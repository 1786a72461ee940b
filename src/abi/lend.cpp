// lend.cpp: the functions of vicino/lend.h.
#include "vicino/lend.h"

#include "abi/api.hpp"
#include "region/borrowed.hpp"

using namespace vicino;

VICINO_API int vicino_lend(void) { return region::lend_cores(); }

VICINO_API void vicino_reclaim(void) { region::reclaim_cores(); }

VICINO_API int vicino_lend_until(int (*done)(void*), void* argument, const void* where) {
  return region::lend_until(done, argument, where);
}
