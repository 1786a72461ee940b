// crew.hpp: which members run a taskloop's tasks, node by node. Pure functions.
#pragma once

#include <span>
#include <vector>

namespace vicino::team {

// The members of a crew that are on one node, in order of their numbers.
struct CrewPart {
  int node;  // -1: of a team that is not bound
  std::vector<int> members;
  friend bool operator==(const CrewPart&, const CrewPart&) = default;
};

// `threads` of a team's members: all of the first node in `nodes`, then of the second, and so on;
// of the last one `first`, if it is there, and those with the lowest numbers. Parts stand in the
// order of their first members, as a static loop would give them iterations. `node_of[i]`: of
// member i, one of `nodes`.
std::vector<CrewPart> crew_of(std::span<const int> node_of, std::span<const int> nodes, int threads,
                              int first);

}  // namespace vicino::team
