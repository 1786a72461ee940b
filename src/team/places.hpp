// places.hpp: the process's place list, the spots that threads are bound to, and binding a thread.
#pragma once

#include "plat/plat.hpp"
#include "topo/bind.hpp"
#include "topo/places.hpp"

namespace vicino::team {

// OMP_PLACES, checked against this machine and parsed once. If the list cannot be read there is a
// message, and the default list takes its place.
const topo::PlaceList& places();

// Makes sure that the topology and the places are known: for a region of several threads, and for
// routines on places. A thread's first call does not need them, because a process whose regions
// all have one thread does without (region/roots.cpp).
//
// Memory order: the release (3) pairs with the acquire (4): a thread that sees the flag finds complete what
// read_machine() has made.
extern constinit plat::atomic<bool> machine_is_met;
void meet_machine_first();
inline void meet_machine() {
  if (!machine_is_met.load(std::memory_order_acquire)) [[unlikely]]  // (4)
    meet_machine_first();
}
// By a thread that holds FirstCall.
void read_machine();

int num_places();
// The places that a thread may run on: those of its partition, all if it has none.
topo::Partition places_in(topo::Partition partition);

// What threads are bound to. The places come first, under their own numbers; after them come parts
// of places, and of the CPUs of the process, as add_spot() has added them. A spot never changes, so
// a number is good for all threads for ever.
const topo::PlaceList& spots() noexcept;

// The number of a spot with these CPUs; a new one if there is none. -1 if there are too many.
int add_spot(const CpuSet& cpus);

// The spots of members that share a spot: the parts of it that lie in one domain of the level each, as
// topo/near.hpp divides it among them, `first` before others. Where there are too many spots for that, a
// member has the whole one.
std::vector<int> spots_on(int spot, topo::Level level, int first, int members);

// Whether nobody has said how threads are bound, so that they stay near their data (near.hpp).
bool binds_near() noexcept;

// Lets the calling thread run on these CPUs only. False if the kernel refuses.
bool run_on(const CpuSet& cpus) noexcept;

// Threads that the program starts from a bound thread would inherit its mask. From this call on
// they get the process's own mask, unless they are started with attributes.
void keep_mask_from_new_threads() noexcept;

}  // namespace vicino::team
