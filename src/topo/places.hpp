// places.hpp: OMP_PLACES, after the grammar of OpenMP 5.2, section 21.1.6.
//
//  list        := name | name(count) | interval {, interval}
//  name        := threads | cores | ll_caches | numa_domains | sockets       (in any case)
//  interval    := place | place:count | place:count:stride | !place
//  place       := cpu | { resources {, resources} }
//  resources   := cpu | cpu:count | cpu:count:stride | !cpu
//
// The standard leaves some points open; they are settled here as follows:
//  - !cpu removes a CPU from what its place holds so far; !place removes an equal place from the
//    list so far. (One of the two other runtimes reads !place as "everything but"; the standard's
//    "exclude ... the place" does not.) Excluding what is not there is an error, since it is a
//    mistake.
//  - CPUs that this process may not use are dropped, then places that became empty, each with a
//    note. A list of which nothing is left is an error.
//  - a count above the machine's gives all places that there are, with a note.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/cpu_set.hpp"
#include "base/result.hpp"
#include "topo/machine.hpp"

namespace vicino::topo {

struct PlaceList {
  std::vector<CpuSet> places;
  std::vector<std::string> notes;  // what was asked for and not done, one sentence each

  int size() const noexcept { return static_cast<int>(places.size()); }
  const CpuSet& operator[](int place) const noexcept { return places[static_cast<size_t>(place)]; }
};

// An error says what is wrong, where, and what would be right.
Result<PlaceList> parse_places(std::string_view text, const Machine& machine);

// What of a text holds: all of it, or if that cannot be read the name before its count, or the default's name.
std::string readable_places(std::string_view text, const Machine& machine);

// One place per core, in the order in which threads should take them (priorities.hpp).
PlaceList default_places(const Machine& machine);

PlaceList places_of(const Machine& machine, Level level);

}  // namespace vicino::topo
