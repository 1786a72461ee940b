// binding.hpp: which place each thread of a team gets, after OpenMP 5.2, section 10.1.3.
//
// Places are known by their index alone: the rules need only their number.
//
// There are T threads, and P places in the partition. The primary thread never moves.
//  primary  all threads are on the primary's place.
//  close    T <= P: the threads get the primary's place, then the next ones, around the end of the
//           partition.
//           T > P: each place gets a group of threads with consecutive numbers.
//  spread   T <= P: the partition is cut into T runs of places; each thread gets the first place of
//           a run, and the run as its own partition. The primary gets the run that it is in.
//           T > P: as close, and each place is a partition.
// `true` is close: threads that share data are then as near to each other as they can be.
// The standard leaves open where larger parts go: the larger runs come first in the partition, and
// the larger groups of threads on the first places in order of thread numbers.
#pragma once

#include <vector>

#include "topo/bind.hpp"

namespace vicino::topo {

struct PlacedThread {
  int place;  // index into the place list; -1 if the thread is not bound
  int partition_first;
  int partition_size;
  friend bool operator==(const PlacedThread&, const PlacedThread&) = default;
};

// One entry per thread number. A primary that is outside the partition (not bound yet: -1) counts
// as being on the partition's first place. `partition` must not be empty unless `bind` is kFalse.
std::vector<PlacedThread> assign_places(Bind bind, Partition partition, int primary_place,
                                        int nthreads);

}  // namespace vicino::topo
