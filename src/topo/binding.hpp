// binding.hpp: which place each thread of a team gets, after OpenMP 5.2, section 10.1.3.
//
// Places are known by their index alone: the rules ask only how many there are.
//
// T threads, P places in the partition. The primary thread never moves.
//  primary  all threads on the primary's place.
//  close    T <= P: the primary's place, then the next ones, around the end of the partition.
//           T > P: as many threads with consecutive numbers on each place.
//  spread   T <= P: the partition is cut into T runs of places, each thread gets the first place of
//           a run and the run as its own partition; the primary gets the run that it is in.
//           T > P: as close, and each place is a partition.
// `true` is close: threads that share data are then as near as they can be.
// Left open by the standard: the larger runs come first in the partition, and the larger groups of
// threads on the first places in order of thread numbers.
#pragma once

#include <vector>

#include "topo/bind.hpp"

namespace vicino::topo {

// Consecutive places.
struct Partition {
  int first = 0;
  int size = 0;
  bool contains(int place) const noexcept { return place >= first && place < first + size; }
  friend bool operator==(const Partition&, const Partition&) = default;
};

struct PlacedThread {
  int place;  // index into the place list; -1 if the thread is not bound
  int partition_first;
  int partition_size;
  friend bool operator==(const PlacedThread&, const PlacedThread&) = default;
};

// One entry per thread number. A primary that is outside the partition (not bound yet: -1) counts
// as being on its first place. `partition` must not be empty unless `bind` is kFalse.
std::vector<PlacedThread> assign_places(Bind bind, Partition partition, int primary_place,
                                        int nthreads);

}  // namespace vicino::topo
