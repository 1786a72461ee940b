// domains.hpp: in which domains of the machine a team has members, and which domain serves each of the others.
#pragma once

#include <span>
#include <vector>

namespace vicino::topo {
class Machine;
}

namespace vicino::team {

// The domains of a level in which a team has members, and for every domain of the machine the nearest one of
// them.
struct DomainsOfMembers {
  struct Near {
    int domain;
    int member;  // the first member there
    friend bool operator==(const Near&, const Near&) = default;
  };
  std::vector<int> used;   // ascending
  std::vector<Near> near;  // by domain
};

// `domain_of[i]`: the near domain (Machine::near_level()) that member i is bound to; -1: it is bound to none. If
// all are -1, members may run in any, and member 0 stands for every one.
DomainsOfMembers domains_of_members(const topo::Machine& machine, std::span<const int> domain_of);
// The same for nodes, which have memory.
DomainsOfMembers nodes_of_members(const topo::Machine& machine, std::span<const int> node_of);

}  // namespace vicino::team
