// region.cpp: the functions of vicino/region.h.
#include "vicino/region.h"

#include "abi/api.hpp"
#include "event/more.hpp"

using vicino::ompt::Endpoint;

VICINO_API void vicino_region_begin(const char* name) {
  if (vicino::ompt::is_watched()) vicino::event::named(Endpoint::kBegin, name);
}
VICINO_API void vicino_region_end(const char* name) {
  if (vicino::ompt::is_watched()) vicino::event::named(Endpoint::kEnd, name);
}
VICINO_API void vicino_communication_begin(const char* function, const void* where) {
  if (vicino::ompt::is_watched()) vicino::event::communication_begins(function, where);
}
VICINO_API void vicino_communication_end(uint64_t bytes) {
  if (vicino::ompt::is_watched()) vicino::event::communication_ends(bytes);
}
