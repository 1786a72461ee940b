#include "topo/binding.hpp"

#include <algorithm>

#include "base/even_cut.hpp"

namespace vicino::topo {
namespace {

// The number of places, or runs of places, from the primary's to the thread's, before wrapping
// around. With fewer threads than places the first groups have one thread and the rest none.
int steps_from_primary(int thread, int nthreads, int places) {
  return EvenCut(nthreads, places).part_of(thread);
}

PlacedThread close(int thread, int nthreads, Partition whole, int primary) {
  const int steps = steps_from_primary(thread, nthreads, whole.size);
  const int place = whole.first + (primary - whole.first + steps) % whole.size;
  return {place, whole.first, whole.size};
}

PlacedThread spread(int thread, int nthreads, Partition whole, int primary) {
  const int parts = std::min(nthreads, whole.size);
  const EvenCut cut(whole.size, parts);
  const int home = cut.part_of(primary - whole.first);
  const int part = (home + steps_from_primary(thread, nthreads, whole.size)) % parts;
  const int first = whole.first + cut.start(part);
  return {part == home ? primary : first, first, cut.size(part)};
}

}  // namespace

std::vector<PlacedThread> assign_places(Bind bind, Partition partition, int primary_place,
                                        int nthreads) {
  const int primary = partition.contains(primary_place) ? primary_place : partition.first;
  std::vector<PlacedThread> team(static_cast<size_t>(nthreads));
  for (int thread = 0; thread < nthreads; ++thread) {
    PlacedThread& placed = team[static_cast<size_t>(thread)];
    switch (bind) {
      case Bind::kFalse:
      case Bind::kNear:
        placed = {-1, partition.first, partition.size};
        break;
      case Bind::kPrimary:
        placed = {primary, partition.first, partition.size};
        break;
      case Bind::kTrue:
      case Bind::kClose:
        placed = close(thread, nthreads, partition, primary);
        break;
      case Bind::kSpread:
        placed = spread(thread, nthreads, partition, primary);
        break;
    }
  }
  return team;
}

}  // namespace vicino::topo
