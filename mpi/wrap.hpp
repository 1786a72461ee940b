// wrap.hpp: what the generated wrappers include.
#pragma once

#include "bytes.hpp"
#include "lend.hpp"
#include "real.hpp"
#include "this_mpi.hpp"
#include "through.hpp"

#define VICINO_WRAPPER extern "C" [[gnu::visibility("default")]]

namespace vicino::pmpi {

// mpi_f08's ierror is optional.
inline int error_in(const void* ierror) noexcept {
  return ierror != nullptr ? *static_cast<const MPI_Fint*>(ierror) : 0;
}

}  // namespace vicino::pmpi
