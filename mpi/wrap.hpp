// wrap.hpp: what the generated wrappers include.
#pragma once

#include "bytes.hpp"
#include "lend.hpp"
#include "real.hpp"
#include "this_mpi.hpp"
#include "through.hpp"

#define VICINO_WRAPPER extern "C" [[gnu::visibility("default")]]

namespace vicino::pmpi {

// What a call does where it lends cores. Not inline, and by a copy of the call's parameters. Captured by reference, the
// parameters would be spilled to the stack in every call.
template <class Call>
[[gnu::noinline, gnu::cold]] int aside(Call call) {
  return call();
}

// mpi_f08's ierror is optional.
inline int error_in(const void* ierror) noexcept {
  return ierror != nullptr ? *static_cast<const MPI_Fint*>(ierror) : 0;
}
inline int give_error(void* ierror, int error) noexcept {
  if (ierror != nullptr) *static_cast<MPI_Fint*>(ierror) = error;
  return error;
}

// The argument of a Fortran program that is a communicator. To convert it takes a call.
struct FortranComm {
  const void* argument;
};
inline bool lends(FortranComm comm) noexcept {
  return lends() && lends(from_fortran<MPI_Comm>(comm.argument));
}

}  // namespace vicino::pmpi
