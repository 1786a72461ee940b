// places.hpp: the process's place list, and moving a thread onto one of its places.
#pragma once

#include "topo/places.hpp"

namespace vicino::team {

// OMP_PLACES against this machine; parsed once. A list that cannot be read is said and replaced by
// the default.
const topo::PlaceList& places();

// Lets the calling thread run on these CPUs only. False if the kernel refuses.
bool run_on(const CpuSet& cpus) noexcept;

// Threads that the program starts from a bound thread would inherit its mask: from now on they get
// the process's own, unless they are started with attributes.
void keep_mask_from_new_threads() noexcept;

}  // namespace vicino::team
