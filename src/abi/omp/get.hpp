// get.hpp: defines a routine of OpenMP without arguments, and its Fortran twin.
#pragma once

#include "abi/api.hpp"

#define VICINO_GET(type, name, value)        \
  VICINO_API type name() { return (value); } \
  VICINO_API type name##_() { return (value); }
