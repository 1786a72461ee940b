// places.hpp: the process's place list, and moving a thread onto one of its places.
#pragma once

#include "topo/places.hpp"

namespace vicino::team {

// OMP_PLACES, checked against this machine and parsed once. If the list cannot be read there is a
// message, and the default list takes its place.
const topo::PlaceList& places();

// Lets the calling thread run on these CPUs only. False if the kernel refuses.
bool run_on(const CpuSet& cpus) noexcept;

// Threads that the program starts from a bound thread would inherit its mask. From this call on
// they get the process's own mask, unless they are started with attributes.
void keep_mask_from_new_threads() noexcept;

}  // namespace vicino::team
