#include "team/shape.hpp"

#include <algorithm>
#include <climits>
#include <map>

namespace vicino::team {

using topo::Level;
using topo::Machine;

int threads_per(const Machine& machine, Level level) {
  return std::max(static_cast<int>(machine.pus().size()) / machine.count(level), 2);
}

namespace {

// As threads_per(), for a team. A team of k times as many members as the machine has hardware
// threads has k times as many in a domain. Otherwise its domains would be many more than the
// machine's: what a loop's shape lists grows with their square; and at a barrier, each level takes
// every CPU once more through the members that share the CPU.
int members_per(const Machine& machine, Level level, size_t members) {
  const size_t pus = machine.pus().size();
  return threads_per(machine, level) *
         static_cast<int>(std::max((members + pus - 1) / pus, size_t{1}));
}

}  // namespace

sync::Layout unbound_layout(const Machine& machine, int members) {
  const auto blocks = [members](int block) {
    std::vector<int> domain(static_cast<size_t>(members));
    for (int i = 0; i < members; ++i) domain[static_cast<size_t>(i)] = i / block;
    return domain;
  };
  const auto per = [&](Level level) {
    return members_per(machine, level, static_cast<size_t>(members));
  };
  const std::vector<int> domains[] = {blocks(per(Level::kCacheGroup)),
                                      blocks(per(Level::kPackage))};
  return sync::Layout(members, domains);
}

namespace {

// The cache group of each member. A member on a place that spans several gets a negative number,
// the same as the other members of its unit.
std::vector<int> cache_groups_of(const Machine& machine, const topo::PlaceList& places,
                                 std::span<const int> place_of) {
  constexpr int kMostUnits = 1 << 14;
  const int unit = members_per(machine, Level::kCacheGroup, place_of.size());
  std::map<int, int> members_on;
  std::vector<int> groups;
  for (const int place : place_of) {
    int group = machine.cache_group_of(places[place]);
    if (group < 0) group = -2 - (place * kMostUnits + members_on[place]++ / unit);
    groups.push_back(group);
  }
  return groups;
}

}  // namespace

sync::Layout bound_layout(const Machine& machine, const topo::PlaceList& places,
                          std::span<const int> place_of) {
  std::vector<int> domains[] = {cache_groups_of(machine, places, place_of), {}};
  for (const int place : place_of) domains[1].push_back(machine.package_of(places[place]));
  return sync::Layout(static_cast<int>(place_of.size()), domains);
}

loop::Shape unbound_shape(const Machine& machine, int members) {
  const auto block = [&](Level level) {
    return static_cast<uint32_t>(members_per(machine, level, static_cast<size_t>(members)));
  };
  return loop::Shape::blocks(static_cast<uint32_t>(members), block(Level::kCacheGroup),
                             block(Level::kNode));
}

loop::Shape bound_shape(const Machine& machine, const topo::PlaceList& places,
                        std::span<const int> place_of) {
  const std::vector<int> groups = cache_groups_of(machine, places, place_of);
  std::vector<loop::Spot> spots;
  for (size_t i = 0; i < place_of.size(); ++i) {
    const int place = place_of[i];
    const CpuSet& cpus = places[place];
    // A place that spans several nodes or packages counts as one of its own.
    const auto known = [place](int domain) { return domain >= 0 ? domain : -2 - place; };
    spots.push_back({groups[i], known(machine.node_of(cpus)), known(machine.package_of(cpus))});
  }
  const auto far = [&machine](int a, int b) {
    if (a == b) return 0u;
    return a < 0 || b < 0 ? UINT_MAX : machine.distance(a, b);
  };
  const bool by_groups = machine.near_level() == Level::kCacheGroup;
  return loop::Shape(spots, far, by_groups ? topo::Distance::kCacheGroup : topo::Distance::kNode);
}

std::vector<unsigned> thread_distances(const Machine& machine, const topo::PlaceList& places,
                                       std::span<const int> place_of, int me) {
  constexpr unsigned kLevels = 4;
  const CpuSet& mine = places[place_of[static_cast<size_t>(me)]];
  const int node = machine.node_of(mine);
  std::vector<unsigned> distances;
  for (const int place : place_of) {
    const CpuSet& theirs = places[place];
    const int other = machine.node_of(theirs);
    const unsigned between = node < 0 || other < 0 ? 0 : machine.distance(node, other);
    const bool apart[] = {machine.cache_group_of(mine) != machine.cache_group_of(theirs),
                          node != other, machine.package_of(mine) != machine.package_of(theirs)};
    distances.push_back(kLevels * between + unsigned{apart[0]} + unsigned{apart[1]} +
                        unsigned{apart[2]});
  }
  return distances;
}

}  // namespace vicino::team
