// crew.hpp: which members run a taskloop's tasks, node by node, and which tasks. Pure functions.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "loop/range.hpp"

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

// Tasks for each thread, and what they are made of where the last of them may be shorter.
inline constexpr uint64_t kTasksPerThread = 10;
inline constexpr uint64_t kUnitsPerTask = 8;

// What a member begins with.
struct CrewRow {
  int node, member;
  loop::Range iterations;
  uint32_t units, strict, at_once;  // for task::MemberRow::fill()
};
// The iterations are divided as by schedule(static), each member's into that many units if there
// are so many. Rows stand as their members in the parts.
std::vector<CrewRow> crew_rows(std::span<const CrewPart> parts, uint64_t trip, uint64_t units);

}  // namespace vicino::team
