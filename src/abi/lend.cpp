// lend.cpp: the functions of vicino/lend.h.
#include "vicino/lend.h"

#include "abi/api.hpp"
#include "lend/lending.hpp"
#include "region/borrowed.hpp"
#include "region/roots.hpp"

using namespace vicino;

VICINO_API int vicino_lend(void) { return lend::is_on() ? region::lend_cores(region::me()) : 0; }

VICINO_API void vicino_reclaim(void) { region::reclaim_cores(); }

VICINO_API int vicino_lend_until(int (*done)(void*), void* argument, const void* where) {
  return lend::is_on() ? region::lend_until(region::me(), done, argument, where) : 0;
}
