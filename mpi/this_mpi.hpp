// this_mpi.hpp: what differs between Open MPI and MPICH, whose header this file is compiled with.
//
// Open MPI's handles are addresses of objects in its library, and an undefined object would keep a
// process without MPI from starting: they are looked up. MPICH's handles are numbers, the same in C
// and in Fortran, and so are those of the MPIs with its binary interface (Intel MPI, MVAPICH2).
#pragma once

#define OMPI_SKIP_MPICXX 1
#define MPICH_SKIP_MPICXX 1
#include <mpi.h>

#include "real.hpp"

namespace vicino::pmpi {

#ifdef OPEN_MPI

inline constexpr const char* kMpi = "Open MPI";
inline constexpr const char* kLibraries[] = {"libmpi.so.40", "libmpi_mpifh.so.40",
                                             "libmpi_usempif08.so.40"};

inline MPI_Comm world() { return static_cast<MPI_Comm>(find_object("ompi_mpi_comm_world")); }
inline MPI_Datatype byte_type() { return static_cast<MPI_Datatype>(find_object("ompi_mpi_byte")); }
inline MPI_Datatype int_type() { return static_cast<MPI_Datatype>(find_object("ompi_mpi_int")); }
inline MPI_Op least_of() { return static_cast<MPI_Op>(find_object("ompi_mpi_op_min")); }
inline MPI_Datatype null_type() noexcept {
  static void* const null = find_object("ompi_mpi_datatype_null");
  return static_cast<MPI_Datatype>(null);
}

// The size of a type whose handle tells it; 0 for others.
inline int size_in_handle(MPI_Datatype) noexcept { return 0; }

// In Fortran MPI_IN_PLACE is this object.
inline bool is_fortran_in_place(const void* buffer) noexcept {
  static const void* const object = find_object("mpi_fortran_in_place_");
  return buffer == object && object != nullptr;
}

inline MPI_Datatype from_fortran(MPI_Datatype, MPI_Fint handle) {
  static constinit Real<decltype(&PMPI_Type_f2c)> real{"PMPI_Type_f2c"};
  return real.get()(handle);
}
inline MPI_Comm from_fortran(MPI_Comm, MPI_Fint handle) {
  static constinit Real<decltype(&PMPI_Comm_f2c)> real{"PMPI_Comm_f2c"};
  return real.get()(handle);
}
inline MPI_Request from_fortran(MPI_Request, MPI_Fint handle) {
  static constinit Real<decltype(&PMPI_Request_f2c)> real{"PMPI_Request_f2c"};
  return real.get()(handle);
}

#else

inline constexpr const char* kMpi = "MPICH";
inline constexpr const char* kLibraries[] = {"libmpich.so.12", "libmpi.so.12", "libmpichfort.so.12",
                                             "libmpifort.so.12"};

inline MPI_Comm world() { return MPI_COMM_WORLD; }
inline MPI_Datatype byte_type() { return MPI_BYTE; }
inline MPI_Datatype int_type() { return MPI_INT; }
inline MPI_Op least_of() { return MPI_MIN; }
inline MPI_Datatype null_type() noexcept { return MPI_DATATYPE_NULL; }

// The size of a type whose handle tells it; 0 for others. Handles are part of the binary interface: a predefined type
// whose handle begins with 0x4c has its size in bits 8 to 15. Pairs such as MPI_FLOAT_INT (0x8c) do not. Asking MPICH
// takes 7 ns.
inline int size_in_handle(MPI_Datatype type) noexcept {
  constexpr int kKindAt = 24, kKind = 0x4c, kSizeAt = 8, kByte = 0xff;
  return type >> kKindAt == kKind ? type >> kSizeAt & kByte : 0;
}

// In Fortran MPI_IN_PLACE is an object that the first variable points to, in mpi_f08 the second.
inline bool is_fortran_in_place(const void* buffer) noexcept {
  static const void* const* const object =
      static_cast<const void* const*>(find_object("MPIR_F_MPI_IN_PLACE"));
  static const void* const object_of_f08 = find_object("MPIR_F08_MPI_IN_PLACE");
  return (object != nullptr && buffer == *object) ||
         (object_of_f08 != nullptr && buffer == object_of_f08);
}

// Datatypes, communicators and requests are the same type, int.
inline int from_fortran(int, MPI_Fint handle) noexcept { return handle; }

#endif

}  // namespace vicino::pmpi
