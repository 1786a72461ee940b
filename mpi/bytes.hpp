// bytes.hpp: how many bytes a call sends, or receives if it only receives, by its arguments.
//
// What   Count times size of the type, for each process that the rank sends to. A receive counts
//        the room that it offers.
// When   After the call, and only if it has succeeded: then its arguments were right. Before,
//        asking for the size of a bad type would call the program's error handler in the wrong
//        place.
// Not    arguments that MPI does not look at: a collective call between two groups (root < 0)
//        counts 0 where it has no data.
#pragma once

#include <cstdint>

#include "this_mpi.hpp"

namespace vicino::pmpi {

// A type that MPI names: one that no program can free, so its handle keeps its meaning.
struct Named {
  MPI_Datatype type;
  uint64_t size;
};
inline thread_local constinit Named last_named{};
uint64_t asked_size_of(MPI_Datatype type) noexcept;

// A size of a type; 0 for MPI_DATATYPE_NULL.
inline uint64_t size_of(MPI_Datatype type) noexcept {
  if (const int size = size_in_handle(type); size != 0) return static_cast<uint64_t>(size);
  return type == last_named.type ? last_named.size : asked_size_of(type);
}
uint64_t members(MPI_Comm comm) noexcept;  // of the rank's own group
// The processes that a collective call exchanges data with: the other group of an
// intercommunicator.
uint64_t partners(MPI_Comm comm) noexcept;
// The processes that a neighbourhood collective sends to.
uint64_t neighbours(MPI_Comm comm) noexcept;
uint64_t rank_in(MPI_Comm comm) noexcept;

// The handle of a Fortran program, by the address of its argument.
template <class Handle>
Handle from_fortran(const void* argument) noexcept {
  return from_fortran(Handle{}, *static_cast<const MPI_Fint*>(argument));
}

// An array of handles.
template <class Handle>
class FortranHandles {
 public:
  explicit FortranHandles(const void* argument) noexcept
      : handles_(static_cast<const MPI_Fint*>(argument)) {}
  Handle operator[](uint64_t at) const { return from_fortran(Handle{}, handles_[at]); }

 private:
  const MPI_Fint* handles_;
};
using FortranTypes = FortranHandles<MPI_Datatype>;
using FortranRequests = FortranHandles<MPI_Request>;

struct FortranBuffer {
  const void* address;
};
// Fortran 2018 passes an array of any type by a descriptor whose first field is the address.
inline FortranBuffer buffer_in_descriptor(const void* argument) noexcept {
  return {*static_cast<void* const*>(argument)};
}

inline bool in_place(const void* buffer) noexcept { return buffer == MPI_IN_PLACE; }
inline bool in_place(FortranBuffer buffer) noexcept { return is_fortran_in_place(buffer.address); }

template <class Count>
uint64_t one(Count count, MPI_Datatype type) noexcept {
  return count > 0 ? static_cast<uint64_t>(count) * size_of(type) : 0;
}

// The rank's own part of what is gathered or scattered in place.
template <class Count>
uint64_t own(const Count* counts, MPI_Datatype type, MPI_Comm comm) noexcept {
  return one(counts[rank_in(comm)], type);
}

inline MPI_Datatype type_at(MPI_Datatype type, uint64_t) noexcept { return type; }
inline MPI_Datatype type_at(const MPI_Datatype* types, uint64_t at) noexcept { return types[at]; }
inline MPI_Datatype type_at(FortranTypes types, uint64_t at) noexcept { return types[at]; }

// What goes to each of `processes` processes. `Types`: one type, or one for each process.
template <class Count, class Types>
uint64_t sum(const Count* counts, Types types, uint64_t processes) noexcept {
  uint64_t bytes = 0;
  for (uint64_t i = 0; i < processes; ++i)
    if (counts[i] > 0) bytes += one(counts[i], type_at(types, i));
  return bytes;
}

}  // namespace vicino::pmpi
