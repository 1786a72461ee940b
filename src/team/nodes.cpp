#include "team/nodes.hpp"

#include <algorithm>

#include "topo/machine.hpp"

namespace vicino::team {

using topo::Level;
using topo::Machine;

NodesOfMembers nodes_of_members(const Machine& machine, std::span<const int> node_of) {
  const auto count = static_cast<size_t>(machine.count(Level::kNode));
  std::vector<int> first(count, -1);
  for (size_t i = node_of.size(); i-- > 0;)
    if (node_of[i] >= 0) first[static_cast<size_t>(node_of[i])] = static_cast<int>(i);
  if (std::ranges::all_of(first, [](int member) { return member < 0; })) first.assign(count, 0);
  const auto first_on = [&first](int node) { return first[static_cast<size_t>(node)]; };
  NodesOfMembers nodes;
  for (int node = 0; node < static_cast<int>(count); ++node) {
    if (first_on(node) >= 0) nodes.used.push_back(node);
    const int near = *std::ranges::find_if(machine.nodes_nearest_first(node),
                                           [&](int other) { return first_on(other) >= 0; });
    nodes.near.push_back({near, first_on(near)});
  }
  return nodes;
}

}  // namespace vicino::team
