// shape.hpp: how a team's barriers and schedules follow the machine's domains. Pure functions of
// the machine and the places, so tests can call them with machines that were recorded elsewhere.
#pragma once

#include <span>
#include <vector>

#include "loop/shape.hpp"
#include "sync/layout.hpp"
#include "topo/machine.hpp"
#include "topo/places.hpp"

namespace vicino::team {

// How many hardware threads a domain of this level has on average; at least 2, because a unit of
// one member is no unit.
int threads_per(const topo::Machine& machine, topo::Level level);

// Threads that are not bound run anywhere. Members with neighbouring numbers form a unit all the
// same, so that a barrier of many members is a tree.
sync::Layout unbound_layout(const topo::Machine& machine, int members);

// `place_of[i]`: the place of member i, an index into `places`. Members on a place that spans several
// cache groups form units of a group's size, in order of number.
sync::Layout bound_layout(const topo::Machine& machine, const topo::PlaceList& places,
                          std::span<const int> place_of);

// As above for loops: which members are near each other.
loop::Shape unbound_shape(const topo::Machine& machine, int members);
loop::Shape bound_shape(const topo::Machine& machine, const topo::PlaceList& places,
                        std::span<const int> place_of);

// How far thread `me` is from each of the threads on these places. The distance of their nodes
// comes first; among equal distances, the number of levels (cache group, node, package) that the
// two threads do not share. Only the order of the values has a meaning.
std::vector<unsigned> thread_distances(const topo::Machine& machine, const topo::PlaceList& places,
                                       std::span<const int> place_of, int me);

}  // namespace vicino::team
