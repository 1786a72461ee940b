// shape.hpp: along which of the machine's domains a team meets. Pure functions of the machine and
// the places, so that tests ask them of machines recorded elsewhere.
#pragma once

#include <span>
#include <vector>

#include "loop/shape.hpp"
#include "sync/layout.hpp"
#include "topo/machine.hpp"
#include "topo/places.hpp"

namespace vicino::team {

// Of equal domains, how many threads each has on average; at least 2, for a unit of one is none.
int threads_per(const topo::Machine& machine, topo::Level level);

// Threads that are not bound run anywhere; numbers near each other are put in one unit all the
// same, so that a meeting of many is a tree.
sync::Layout unbound_layout(const topo::Machine& machine, int members);

// `place_of[i]`: where member i is bound, an index into `places`.
sync::Layout bound_layout(const topo::Machine& machine, const topo::PlaceList& places,
                          std::span<const int> place_of);

// The same for loops: who is near whom.
loop::Shape unbound_shape(const topo::Machine& machine, int members);
loop::Shape bound_shape(const topo::Machine& machine, const topo::PlaceList& places,
                        std::span<const int> place_of);

// What separates thread `me` from each of those that sit on these places: the distance of their
// nodes, and among equals how many of cache group, node and package the two do not share. Only the
// order means anything.
std::vector<unsigned> thread_distances(const topo::Machine& machine, const topo::PlaceList& places,
                                       std::span<const int> place_of, int me);

// Which nodes a team has members on, and for every node of the machine the nearest of these.
struct NodesOfMembers {
  struct Near {
    int node;
    int member;  // the first one there
    friend bool operator==(const Near&, const Near&) = default;
  };
  std::vector<int> used;   // ascending
  std::vector<Near> near;  // by node
};
// `node_of[i]`: where member i is bound; -1: not to one node. If that is so of all, they may come
// to any node, and member 0 stands for each.
NodesOfMembers nodes_of_members(const topo::Machine& machine, std::span<const int> node_of);

}  // namespace vicino::team
