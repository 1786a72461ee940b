// nodes.hpp: on which nodes a team has members, and which node serves each of the others.
#pragma once

#include <span>
#include <vector>

namespace vicino::topo {
class Machine;
}

namespace vicino::team {

// The nodes on which a team has members, and for every node of the machine the nearest one of them.
struct NodesOfMembers {
  struct Near {
    int node;
    int member;  // the first member on that node
    friend bool operator==(const Near&, const Near&) = default;
  };
  std::vector<int> used;   // ascending
  std::vector<Near> near;  // by node
};

// `node_of[i]`: the node that member i is bound to; -1: it is not bound to one node. If all are -1,
// members may run on any node, and member 0 stands for every node.
NodesOfMembers nodes_of_members(const topo::Machine& machine, std::span<const int> node_of);

}  // namespace vicino::team
