// crew.hpp: which members run a taskloop's tasks, domain by domain, and which tasks each runs. A domain is a near
// domain of the machine (Machine::near_level()): a NUMA node or a group of CPUs that share a cache. Pure functions.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "loop/range.hpp"
#include "task/split.hpp"

namespace vicino::topo {
class Machine;
}

namespace vicino::tasking {

// The members of a crew that are in one domain, in order of their numbers.
struct CrewPart {
  int domain;  // -1: the team is not bound
  std::vector<int> members;
  friend bool operator==(const CrewPart&, const CrewPart&) = default;
};

// Where each member of a team is, by the member's number.
struct MemberSpots {
  std::span<const int> domain_of;
  std::span<const int> core_of;  // -1: the member is not bound to one core
};

// Domains, each in one tier.
using Tiers = std::vector<std::span<const int>>;

// Chooses `threads` of a team's members. All members in the first tier are chosen,
// then in the second, and so on. In the last one its domains give a member each in turn, the first one first, so that
// all of their caches and links to memory are used. Of a domain it chooses `first`, if that is there; then members on
// cores of their own before members that share one, because two threads of a core are slower than two cores; then the
// members with the lowest numbers. The parts are sorted by their first members, as a static loop would give them
// iterations. All of spots.domain_of are in `tiers`.
std::vector<CrewPart> crew_of(const MemberSpots& spots, const Tiers& tiers, int threads, int first);

// A tier for each domain, or for the domains of each node; `domains` has a node's domains in a row, as
// Machine::near_nearest_first() has.
Tiers tier_each(std::span<const int> domains);
Tiers tier_by_node(std::span<const int> domains, const topo::Machine& machine);

// How many tasks each thread gets: as many as LLVM's runtime makes, with which ILAN was compared. A thread that
// begins the last one makes all others wait for a tenth of its part. So a task that is not made beforehand
// consists of units, and the last ones have fewer.
inline constexpr uint64_t kTasksPerThread = 10;
inline constexpr uint64_t kUnitsPerTask = 8;

// The iterations that a member begins with.
struct CrewRow {
  int domain, member;
  loop::Range iterations;
  uint32_t units, strict, at_once;  // for task::MemberRow::fill()
  uint64_t first_task = 0;          // if a clause says what the tasks are
};
// Divides the iterations as schedule(static) does, and each member's part into `units` units, or
// into fewer if it has fewer iterations. The rows have the order of the members in the parts.
std::vector<CrewRow> crew_rows(std::span<const CrewPart> parts, uint64_t trip, uint64_t units);
// For a taskloop with a clause that says what its tasks are: divides the tasks as schedule(static)
// would divide as many iterations. Each task is a unit. There are at most kMostTasks.
std::vector<CrewRow> crew_rows(std::span<const CrewPart> parts, const task::Split& tasks);
inline constexpr uint64_t kMostTasks = UINT32_MAX;  // as task::MemberRow counts

}  // namespace vicino::tasking
